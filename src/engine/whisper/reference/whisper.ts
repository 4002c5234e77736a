// Whisper in plain calls, in float64. Every layer of the engine is compared with it, and each function here names the file that
// does the same fast. log-mel.ts precedes it; whisper/decoding/ turns the logits into text.

import {
  added,
  below,
  columns,
  gelu,
  layerNorm,
  linear,
  type Matrix,
  matrix,
  type Numbers,
  neighbours,
  rowOf,
  softmax,
  sum,
  transposed,
} from './arithmetic.ts'
import type { ReferenceModel } from './model.ts'

const HEAD_WIDTH = 64

/** wasm/whisper/assembly/norm.ts. The names of weights are those of src/engine/whisper-tensors.ts. */
export const norm = ({ tensor }: ReferenceModel, name: string, from: Matrix) =>
  layerNorm(from, tensor(`${name}.weight`), tensor(`${name}.bias`))

/** assembly/product.ts for the frames of a window, assembly/token-product.ts for tokens. */
const project = ({ tensor }: ReferenceModel, name: string, from: Matrix) =>
  linear(from, tensor(`${name}.weight`), name.endsWith('.key') ? null : tensor(`${name}.bias`))

type KeysAndValues = { keys: Matrix; values: Matrix }

const keysAndValues = (model: ReferenceModel, name: string, from: Matrix): KeysAndValues => ({
  keys: project(model, `${name}.key`, from),
  values: project(model, `${name}.value`, from),
})

/**
 * Frames to frames: assembly/attention.ts; tokens to tokens: assembly/token-attention.ts; tokens to frames:
 * assembly/frame-attention.ts.
 *
 * @param visible how many keys a query may attend to
 * @returns the result, and the weights of each head with a row per query
 */
export const scaledAttention = (
  { queries, keys, values }: KeysAndValues & { queries: Matrix },
  visible: (query: number) => number,
) => {
  const mixed = matrix(queries.rows, queries.width)
  const heads: Matrix[] = []
  for (let first = 0; first < queries.width; first += HEAD_WIDTH) {
    const head = (of: Matrix) => columns(of, first, HEAD_WIDTH)
    const weights = softmaxOf(linear(head(queries), head(keys).numbers, null), visible)
    const found = linear(weights, transposed(head(values)).numbers, null)
    for (let row = 0; row < mixed.rows; row += 1) rowOf(mixed, row).set(rowOf(found, row), first)
    heads.push(weights)
  }
  return { mixed, heads }
}

const softmaxOf = (scores: Matrix, visible: (query: number) => number) => {
  const weights = matrix(scores.rows, scores.width)
  for (let query = 0; query < scores.rows; query += 1) {
    const seen = rowOf(scores, query).subarray(0, visible(query))
    rowOf(weights, query).set(softmax(seen.map((score) => score / Math.sqrt(HEAD_WIDTH))))
  }
  return weights
}

type Memory = {
  /** keys and values of the previous tokens */
  said?: KeysAndValues | undefined
  /** keys and values of the window */
  audio?: KeysAndValues | undefined
  /** how many of the tokens or frames each may attend to */
  visible(query: number): number
}

const behind = (one: KeysAndValues | undefined, other: KeysAndValues): KeysAndValues =>
  one ? { keys: below(one.keys, other.keys), values: below(one.values, other.values) } : other

/** The residual stream through a block: `runLayer` of src/engine/whisper's encoder.ts and decoder-layers.ts. */
const block = (model: ReferenceModel, name: string, from: Matrix, { said, audio, visible }: Memory) => {
  const attention = (kind: string, input: Matrix, memory: KeysAndValues, visible: Memory['visible']) => {
    const queries = project(model, `${name}.${kind}.query`, input)
    const { mixed, heads } = scaledAttention({ queries, ...memory }, visible)
    return { out: project(model, `${name}.${kind}.out`, mixed), heads }
  }
  const input = norm(model, `${name}.attn_ln`, from)
  const known = behind(said, keysAndValues(model, `${name}.attn`, input))
  let stream = sum(from, attention('attn', input, known, visible).out)
  let heads: Matrix[] = []
  if (audio) {
    const all = () => audio.keys.rows
    const cross = attention('cross_attn', norm(model, `${name}.cross_attn_ln`, stream), audio, all)
    stream = sum(stream, cross.out)
    heads = cross.heads
  }
  const wide = gelu(project(model, `${name}.mlp.0`, norm(model, `${name}.mlp_ln`, stream)))
  return { stream: sum(stream, project(model, `${name}.mlp.2`, wide)), known, heads }
}

const convolve = ({ tensor }: ReferenceModel, name: string, from: Matrix, step: number) =>
  gelu(linear(neighbours(from, step), tensor(`${name}.weight`), tensor(`${name}.bias`)))

/**
 * src/engine/whisper/encoder.ts
 *
 * @param mel an even number of frames, at most twice the model's audioFrames
 * @returns the output, and the output of each layer
 */
export const referenceEncode = (model: ReferenceModel, mel: Matrix) => {
  const convolved = convolve(model, 'encoder.conv2', convolve(model, 'encoder.conv1', mel, 1), 2)
  let stream = added(convolved, model.tensor('encoder.positional_embedding'))
  const layers: Matrix[] = []
  for (let index = 0; index < model.file.shape.audioLayers; index += 1) {
    const visible = () => mel.rows / 2
    stream = block(model, `encoder.blocks.${index}`, stream, { visible }).stream
    layers.push(stream)
  }
  return { layers, output: norm(model, 'encoder.ln_post', stream) }
}

/**
 * src/engine/whisper/decoder.ts, with the tokens of sequences.ts and the window of cross-attention-cache.ts.
 *
 * @param encoded the encoder's output, a row per frame
 */
export const createReferenceDecoder = (model: ReferenceModel, encoded: Matrix) => {
  const { textWidth, textLayers } = model.file.shape
  const embedding = model.tensor('decoder.token_embedding.weight')
  const positions = model.tensor('decoder.positional_embedding')
  const blocks = Array.from({ length: textLayers }, (_, index) => `decoder.blocks.${index}`)
  const audio = blocks.map((name) => keysAndValues(model, `${name}.cross_attn`, encoded))
  const said: KeysAndValues[] = []
  let length = 0
  return {
    /**
     * Appends tokens to the sequence.
     * @returns the logits after each token, and the attention of each head of each layer: [layer][head]
     */
    advance(tokens: readonly number[]) {
      const place = (row: Numbers, at: number) => row.subarray(at * textWidth, (at + 1) * textWidth)
      let stream = matrix(tokens.length, textWidth)
      for (const [index, token] of tokens.entries()) rowOf(stream, index).set(place(embedding, token))
      stream = added(stream, positions.subarray(length * textWidth))
      const listened: Matrix[][] = []
      for (const [index, name] of blocks.entries()) {
        const visible = (query: number) => length + query + 1
        const memory: Memory = { said: said[index], audio: audio[index], visible }
        const { heads, known, ...result } = block(model, name, stream, memory)
        stream = result.stream
        said[index] = known
        listened.push(heads)
      }
      length += tokens.length
      return { logits: linear(norm(model, 'decoder.ln', stream), embedding, null), listened }
    },
  }
}
