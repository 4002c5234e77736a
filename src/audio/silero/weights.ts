// Reads Silero's weights for 16 kHz from the tensors of the published ONNX file.

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

/** The graph has branches for 16 kHz and 8 kHz; versions 5 and 6 both give the first one this name. */
const BRANCH = 'If_0_then_branch__Inline_0__'

/** Length of a window in samples, and the distance to the next. */
export const WINDOW = 256
export const HOP = 128
/** The basis has this many rows of real parts, then as many of imaginary parts. */
export const FREQUENCIES = WINDOW / 2 + 1
/** The length of the hidden state and of the cell state. */
export const WIDTH = 128

/** Convolutions over three moments, with zero padding on both sides. */
const CONVOLUTIONS = [
  { inputs: FREQUENCIES, outputs: 128, stride: 1 },
  { inputs: 128, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 128, stride: 1 },
] as const

export type ConvolutionWeights = {
  inputs: number
  outputs: number
  stride: number
  /** [outputs][inputs][3] */
  weight: Float32Array
  bias: Float32Array
}

export type SileroWeights = {
  /** [2 · FREQUENCIES][WINDOW] */
  basis: Float32Array
  convolutions: ConvolutionWeights[]
  /** LSTM weights in PyTorch's layout: [4 · WIDTH][WIDTH], in the order input, forget, cell, output */
  fromInput: Float32Array
  fromMemory: Float32Array
  bias: Float32Array
  memoryBias: Float32Array
  /** the output layer, from the hidden state to one number */
  last: { weight: Float32Array; bias: number }
}

/** @throws Error that names the missing tensor */
export function readWeights(file: Uint8Array): SileroWeights {
  const tensors = readTensors(file)
  const take = (name: string, ...shape: number[]) => {
    const tensor = tensors.get(BRANCH + name)
    const length = shape.reduce((product, one) => product * one, 1)
    if (tensor?.shape.join() !== shape.join() || tensor.values.length !== length)
      throw new Error(`the speech detector's model file has no tensor ${name} of shape ${shape.join(' × ')}`)
    return tensor.values
  }
  const [lastBias] = take('decoder.decoder.2.bias', 1)
  return {
    basis: take('stft.forward_basis_buffer', 2 * FREQUENCIES, 1, WINDOW),
    convolutions: CONVOLUTIONS.map(({ inputs, outputs, stride }, index) => ({
      inputs,
      outputs,
      stride,
      weight: take(`encoder.${index}.reparam_conv.weight`, outputs, inputs, 3),
      bias: take(`encoder.${index}.reparam_conv.bias`, outputs),
    })),
    fromInput: take('decoder.rnn.weight_ih', 4 * WIDTH, WIDTH),
    fromMemory: take('decoder.rnn.weight_hh', 4 * WIDTH, WIDTH),
    bias: take('decoder.rnn.bias_ih', 4 * WIDTH),
    memoryBias: take('decoder.rnn.bias_hh', 4 * WIDTH),
    last: { weight: take('decoder.decoder.2.weight', 1, WIDTH, 1), bias: lastBias! },
  }
}
