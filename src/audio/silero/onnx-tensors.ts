// Reads the named f32 tensors (weights) from an ONNX file, anywhere in the graph and its branches. Parses only as much
// of protobuf and ONNX as that needs.

export type Tensor = { shape: number[]; values: Float32Array }

/** Field numbers of onnx.proto. */
const MODEL = { graph: 7 }
const GRAPH = { node: 1, initializer: 5 }
const NODE = { output: 2, attribute: 5 }
const ATTRIBUTE = { tensor: 5, graph: 6 }
const TENSOR = { shape: 1, type: 2, floats: 4, name: 8, bytes: 9 }
const FLOAT = 1

const utf8 = new TextDecoder()

type Field = { number: number; value: number; bytes: Uint8Array }

const EMPTY = new Uint8Array()

/** @throws RangeError if the message ends in the middle of a field */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++]
      if (byte === undefined || factor > 2 ** 63) throw new RangeError('a number is cut off')
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const take = (length: number) => {
    const taken = message.subarray(at, at + length)
    if (taken.length < length) throw new RangeError('a field is cut off')
    at += length
    return taken
  }
  while (at < message.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    if (tag % 8 === 0) yield { number, value: varint(), bytes: EMPTY }
    else if (tag % 8 === 2) yield { number, value: 0, bytes: take(varint()) }
    else if (tag % 8 === 1 || tag % 8 === 5) take(tag % 8 === 1 ? 8 : 4)
    else throw new RangeError(`a field has the unknown type ${tag % 8}`)
  }
}

const bytesOf = (message: Uint8Array, wanted: number) =>
  [...fieldsOf(message)].filter(({ number }) => number === wanted).map(({ bytes }) => bytes)

/** Null if it holds no f32 data as bytes; integer tensors are skipped. */
function tensorOf(message: Uint8Array): (Tensor & { name: string }) | null {
  const tensor = { name: '', shape: [] as number[], values: null as Float32Array | null }
  let type = 0
  for (const { number, value, bytes } of fieldsOf(message)) {
    if (number === TENSOR.shape) tensor.shape.push(...(bytes.length > 0 ? packed(bytes) : [value]))
    else if (number === TENSOR.type) type = value
    else if (number === TENSOR.name) tensor.name = utf8.decode(bytes)
    // Both fields contain consecutive f32. Copied, because a Float32Array must begin at a multiple of 4.
    else if ((number === TENSOR.bytes || number === TENSOR.floats) && bytes.length % 4 === 0)
      tensor.values = new Float32Array(new Uint8Array(bytes).buffer)
  }
  const { values } = tensor
  return type === FLOAT && values !== null ? { ...tensor, values } : null
}

/** Packed varints. */
function packed(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let [value, factor] = [0, 1]
  for (const byte of bytes) {
    value += (byte & 127) * factor
    factor *= 128
    if (byte >= 128) continue
    numbers.push(value)
    ;[value, factor] = [0, 1]
  }
  return numbers
}

/** Tensors by their names in the graph. @throws RangeError if the file is truncated or not ONNX */
export function readTensors(file: Uint8Array): Map<string, Tensor> {
  const found = new Map<string, Tensor>()
  const visit = (graph: Uint8Array) => {
    for (const message of bytesOf(graph, GRAPH.initializer)) {
      const tensor = tensorOf(message)
      if (tensor) found.set(tensor.name, tensor)
    }
    for (const node of bytesOf(graph, GRAPH.node)) {
      const [output] = bytesOf(node, NODE.output)
      for (const attribute of bytesOf(node, NODE.attribute)) {
        for (const message of bytesOf(attribute, ATTRIBUTE.tensor)) {
          const tensor = tensorOf(message)
          if (tensor && output) found.set(utf8.decode(output), tensor)
        }
        for (const branch of bytesOf(attribute, ATTRIBUTE.graph)) visit(branch)
      }
    }
  }
  for (const graph of bytesOf(file, MODEL.graph)) visit(graph)
  return found
}
