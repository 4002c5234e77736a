// Runs a model on an emulated GPU, and prints how far its numbers are from a plain float64 Whisper. A process of its own,
// because the Vulkan loader reads the environment once: VK_DRIVER_FILES names the emulation, and DAWN_NODE the library.

import { bytesInMemory } from '../../../src/engine/ggml-file.ts'
import { adapterOfDawn, openGpu } from '../../../src/engine/gpu/device.ts'
import { LARGE_TILE, rowProductShader, rowSizes } from '../../../src/engine/gpu/encoder-shaders.ts'
import { createGpuDecoder } from '../../../src/engine/gpu/gpu-decoder.ts'
import { createGpuEncoder } from '../../../src/engine/gpu/gpu-encoder.ts'
import { createUpload, type GpuMatrix } from '../../../src/engine/gpu/upload.ts'
import { BLOCK_WEIGHTS } from '../../../src/engine/gpu/wgsl.ts'
import type { Logits } from '../../../src/engine/whisper/logits.ts'
import { firstRows, linear, matrix, relativeError } from '../../../src/engine/whisper/reference/arithmetic.ts'
import { dequantize } from '../../../src/engine/whisper/reference/dequantize.ts'
import { referenceLogMel } from '../../../src/engine/whisper/reference/log-mel.ts'
import { readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import { createReferenceDecoder, referenceEncode } from '../../../src/engine/whisper/reference/whisper.ts'
import { createWeights, type Weights } from '../../../src/engine/whisper/weights.ts'
import type { TensorShape } from '../../../src/engine/whisper-tensors.ts'
import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { samplesOf } from '../../support/flac.ts'
import { randomModel, SHAPES } from '../../support/model-files.ts'
import { bytesOf, KINDS, type Kind, writeWeights } from '../../support/quantize.ts'

/** Not a multiple of any tile. */
const FRAMES = 70
const SLOTS = 2
const SEQUENCES = 3

const shape = {
  ...SHAPES.toy,
  ...{ audioWidth: 128, audioHeads: 2, textWidth: 128, textHeads: 2 },
  ...{ melBands: 128, audioFrames: 100, textTokens: 64 },
}
/** Of the vocabulary, the first tokens only: enough for a large matrix that no workgroup divides evenly. */
const VOCABULARY = 16_500
/** The first layers are f16 and the second ones quantized, so every shader computes with both formats. */
const kindOf = ({ name, role }: TensorShape): Kind => {
  if (role === 'plain') return 'f32'
  if (role === 'convolution' || name.includes('blocks.0.')) return 'f16'
  return name.includes('mlp') ? 'q8_0' : 'q5_1'
}
const bytes = await randomModel({ shape, kind: 'q5_1', kindOf })
const model = readReferenceModel(bytes)
const { filters } = model.file
const mel = referenceLogMel(await samplesOf('short-17.flac'), filters, shape.melBands)

const gpu = await openGpu({
  requestAdapter: adapterOfDawn(process.env.DAWN_NODE!),
  allowSoftware: true,
  deadlineMs: 600_000,
})
/** On the standard error: an emulated GPU compiles for minutes on a busy machine. */
const stage = (name: string) => console.error(`${Math.round(performance.now() / 1000)} s: ${name}`)

/** The large tile, which only products of many rows and outputs use. */
const largeTileError = async () => {
  const [rows, inputs, outputs] = [128, 64, 128]
  const [x, w] = [1, 2].map((seed) =>
    Float16Array.from({ length: rows * inputs }, (_, i) => Math.sin(seed + i * 12.9898)),
  )
  const bias = Float32Array.from({ length: outputs }, (_, i) => i / outputs)
  const [input, matrixBuffer, biasBuffer, to] = [
    rows * inputs * 2,
    outputs * inputs * 2,
    outputs * 4,
    rows * outputs * 4,
  ].map((bytes) => gpu.allocate(bytes)) as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer]
  gpu.write(input, 0, x!)
  gpu.write(matrixBuffer, 0, w!)
  gpu.write(biasBuffer, 0, bias)
  const code = rowProductShader({ to: 'f32' }, { format: 'f16', tile: LARGE_TILE })
  const sizes = gpu.constant(rowSizes({ inputs, outputs }))
  gpu.submit([[await gpu.bind(code, [input, matrixBuffer, biasBuffer, to, sizes]), 1]])
  const got = new Float32Array(await gpu.read(to, rows * outputs * 4))
  const wanted = linear(matrix(rows, inputs, Float64Array.from(x!)), Float32Array.from(w!), bias).numbers
  return relativeError(got, wanted)
}

/** The weights of a matrix on the GPU, as its shaders read them. */
const weightsOn = async ({ numbers, heads }: GpuMatrix, count: number) => {
  const steps = new Uint8Array(await gpu.read(numbers, count))
  const halves = new Float16Array(await gpu.read(heads!, (count / BLOCK_WEIGHTS) * 4))
  return Float64Array.from(steps, (step, i) => {
    const block = Math.floor(i / BLOCK_WEIGHTS)
    return step * halves[2 * block]! + halves[2 * block + 1]!
  })
}

/** Of every type of quantized file: the greatest difference between its weights and those on the GPU, relative. */
const quantizationErrors = async () => {
  const [inputs, outputs] = [256, 130]
  const errors: Partial<Record<Kind, number>> = {}
  for (const [kind, { type, weights: blockWeights }] of Object.entries(KINDS) as [
    Kind,
    (typeof KINDS)[Kind],
  ][]) {
    if (blockWeights === 1) continue
    const count = inputs * outputs
    const packed = new Uint8Array(bytesOf(count, kind))
    writeWeights(
      Float32Array.from({ length: count }, (_, i) => 0.1 * Math.sin(i * 12.9898) ** 3),
      kind,
      packed,
    )
    const expected = dequantize(type, packed)
    const read: Weights['read'] = (_name, to, part = { first: 0, count }) => {
      kernels.floats().set(expected.subarray(part.first, part.first + part.count), to / 4)
      return part.count
    }
    const upload = createUpload({ gpu, kernels, weights: { shape, typeOf: () => type, read } })
    const got = await weightsOn(await upload.matrix(['matrix'], inputs, outputs), count)
    upload.finish()
    const most = (numbers: Float64Array) => numbers.reduce((a, b) => Math.max(a, Math.abs(b)), 0)
    errors[kind] = most(got.map((weight, i) => weight - expected[i]!)) / most(expected)
  }
  return errors
}

stage('opened')
const kernels = await openKernels({ threads: 1, scratchBytes: ENCODER_SCRATCH_BYTES })
const quantized = await quantizationErrors()
stage('quantized')
const largeTile = await largeTileError()
stage('large tile')
const weights = createWeights({ kernels, source: bytesInMemory(bytes), file: model.file })
const upload = createUpload({ gpu, kernels, weights })
const encoder = await createGpuEncoder({ gpu, upload, shape })
const heads = Array.from({ length: shape.textHeads }, (_, head) => [shape.textLayers - 1, head] as const)
const decoder = await createGpuDecoder({
  ...{ gpu, upload, encoded: encoder.encoded, shape: { ...shape, vocabulary: VOCABULARY } },
  ...{ slots: SLOTS, sequencesPerSlot: SEQUENCES, alignmentHeads: heads },
})
upload.finish()
stage('loaded')

const melOf = (frames: number) => Float32Array.from(firstRows(mel, 2 * frames).numbers)
const encodedFrames = async (frames: number) =>
  Float32Array.from(new Float16Array(await gpu.read(encoder.encoded, frames * shape.audioWidth * 2)))

// a longer window before, whose frames must not shine through
await encoder.encode(melOf(shape.audioFrames), shape.audioFrames)
const longest = await encodedFrames(shape.audioFrames)
await encoder.encode(melOf(FRAMES), FRAMES)
const encoded = await encodedFrames(FRAMES)
stage('encoded')
const expected = (frames: number) => referenceEncode(model, firstRows(mel, 2 * frames)).output
const errors = {
  longest: relativeError(longest, expected(shape.audioFrames).numbers),
  encoded: relativeError(encoded, expected(FRAMES).numbers),
}

const TOKENS = [257, 16_499, 1867, 318, 262, 6193, 287, 0, 12, 4000, 11]
const heard = matrix(FRAMES, shape.audioWidth, Float64Array.from(encoded))
const said = createReferenceDecoder(model, heard).advance(TOKENS)
const V = shape.vocabulary
const rowOfToken = (token: number) => said.logits.numbers.subarray(token * V, token * V + VOCABULARY)

const one = async (steps: Parameters<typeof decoder.advance>[0]): Promise<Logits[]> =>
  await decoder.advance(steps)

await decoder.setWindow(0, 0, FRAMES)
const step = async (sequenceId: number, tokens: number[]) =>
  (await one([{ sequenceId, tokens, aligned: true }]))[0]!
// eleven at once, in two dispatches, and one by one
const together = await step(0, TOKENS)
let single = together
const errorsAlone: number[] = []
for (const [index, token] of TOKENS.entries()) {
  single = await step(1, [token])
  errorsAlone.push(relativeError(single.values, rowOfToken(index)))
}

stage('decoded')

const alignmentError = (sequenceId: number) => {
  const alignment = decoder.alignment(sequenceId, 0)
  const all: number[] = []
  const wanted: number[] = []
  for (let token = 0; token < alignment.tokens; token += 1)
    for (let head = 0; head < alignment.heads; head += 1) {
      const row = new Float32Array(alignment.frames)
      alignment.read(token, head, row)
      all.push(...row)
      const { numbers } = said.listened.at(-1)![head]!
      wanted.push(...numbers.subarray(token * FRAMES, (token + 1) * FRAMES))
    }
  return relativeError(all, wanted)
}

const sumsError = ({ values, maxima, sums }: Logits) => {
  let most = 0
  for (const [block, maximum] of maxima.entries()) {
    const part = values.subarray(block * 256, (block + 1) * 256)
    const greatest = part.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
    const sum = part.reduce((all, logit) => all + Math.exp(logit - greatest), 0)
    most = Math.max(most, Math.abs(maximum - greatest), Math.abs(sums[block]! / sum - 1))
  }
  return most
}

// a copy that goes on by itself, a second window in the other slot, and both windows side by side
decoder.reset(2)
decoder.copy(0, 2)
const afterCopy = createReferenceDecoder(model, heard)
afterCopy.advance(TOKENS)
await encoder.encode(melOf(FRAMES - 13), FRAMES - 13)
const other = await encodedFrames(FRAMES - 13)
await decoder.setWindow(1, 0, FRAMES - 13)
const otherReference = createReferenceDecoder(
  model,
  matrix(FRAMES - 13, shape.audioWidth, Float64Array.from(other)),
)
const [copied, beside] = (await one([
  { sequenceId: 2, tokens: [13, 14] },
  { sequenceId: SEQUENCES, tokens: [257, 5] },
])) as [Logits, Logits]
const lastRow = (logits: { rows: number; numbers: Float64Array }) =>
  logits.numbers.subarray((logits.rows - 1) * V, (logits.rows - 1) * V + VOCABULARY)
const best = (values: ArrayLike<number>) =>
  Array.from(values).indexOf(Array.from(values).reduce((a, b) => Math.max(a, b)))

const aligned = [0, 1].map(alignmentError)
const lengths = [0, 1, 2, SEQUENCES].map(decoder.length)

// the window is copied, replaced and restored
const copy = decoder.copyWindow(0)
await decoder.setWindow(0, 0, FRAMES - 13)
decoder.restoreWindow(0, copy)
const restored = await step(0, TOKENS)

console.log(
  JSON.stringify({
    adapter: gpu.name,
    quantized,
    ...errors,
    largeTile,
    together: relativeError(together.values, rowOfToken(TOKENS.length - 1)),
    alone: Math.max(...errorsAlone),
    sums: sumsError(together),
    alignedTogether: aligned[0],
    alignedAlone: aligned[1],
    copied: relativeError(copied.values, lastRow(afterCopy.advance([13, 14]).logits)),
    beside: relativeError(beside.values, lastRow(otherReference.advance([257, 5]).logits)),
    restored: relativeError(restored.values, rowOfToken(TOKENS.length - 1)),
    lengths,
    best: [best(together.values), best(rowOfToken(TOKENS.length - 1))],
  }),
)
process.exit(0)
