// A Whisper model of the smallest shape that whisper.cpp loads. It returns an empty text at once for any input. Its purpose is
// to check that threads work before real speech depends on them.

import { FFT_BINS, type WhisperShape, whisperTensors } from './whisper-tensors.ts'

/** one head */
const WIDTH = 64

const SHAPE: WhisperShape = {
  vocabulary: 51_864,
  audioFrames: 64,
  audioWidth: WIDTH,
  audioHeads: 1,
  audioLayers: 1,
  textTokens: 32,
  textWidth: WIDTH,
  textHeads: 1,
  textLayers: 1,
  melBands: 80,
  fileType: 1,
}

/** the ordinary tokens, which the file must list; the special ones are implied */
const LISTED_TOKENS = 50_257

/** The first tokens are the single bytes, as in every Whisper vocabulary; the others may be empty. */
const SINGLE_BYTES = 256

/** The tokens it emits, with their logits as float16: the timestamp 0, then the end of text. */
const ANSWERS = [
  { token: 50_363, logit: 0x4d00 },
  { token: 50_256, logit: 0x5100 },
]

const TENSORS = whisperTensors(SHAPE).map(({ name, dimensions, role }) => {
  const type = role === 'plain' ? 0 : 1
  const elements = dimensions.reduce((product, size) => product * size, 1)
  return { name, dimensions, type, bytes: elements * (type === 0 ? 4 : 2) }
})

const fileBytes = () => {
  const numbers = 15 + SHAPE.melBands * FFT_BINS + LISTED_TOKENS
  const tensorBytes = TENSORS.map(
    ({ name, dimensions, bytes }) => 12 + 4 * dimensions.length + name.length + bytes,
  )
  return 4 * numbers + SINGLE_BYTES + tensorBytes.reduce((sum, bytes) => sum + bytes, 0)
}

/** The bytes of a ggml file, about 7 MB. */
export const createProbeModel = (): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(fileBytes())
  const view = new DataView(bytes.buffer)
  let at = 0
  const write = (...numbers: number[]) => {
    for (const number of numbers) {
      view.setInt32(at, number, true)
      at += 4
    }
  }
  // WhisperShape is in file order
  write(0x67676d6c, ...Object.values(SHAPE), SHAPE.melBands, FFT_BINS)
  at += 4 * SHAPE.melBands * FFT_BINS
  write(LISTED_TOKENS)
  for (let byte = 0; byte < SINGLE_BYTES; byte += 1) {
    write(1)
    bytes[at] = byte
    at += 1
  }
  at += 4 * (LISTED_TOKENS - SINGLE_BYTES)
  for (const tensor of TENSORS) {
    write(tensor.dimensions.length, tensor.name.length, tensor.type, ...tensor.dimensions)
    at += new TextEncoder().encodeInto(tensor.name, bytes.subarray(at)).written
    // the decoder's last norm yields (1, 0, 0, …) for any input, so the first column of the embedding decides the logits
    if (tensor.name === 'decoder.ln.bias') view.setFloat32(at, 1, true)
    if (tensor.name === 'decoder.token_embedding.weight') {
      for (const { token, logit } of ANSWERS) view.setUint16(at + 2 * WIDTH * token, logit, true)
    }
    at += tensor.bytes
  }
  return bytes
}
