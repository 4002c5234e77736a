// Compares every layer of the engine with float64, for every weight type and for larger shapes. Both read the same file, so this
// measures the engine's error without that of quantization. Tests the bundled types, f32 and f16; `npm run torture -- layers` tests all.

import { afterEach, describe, expect, test } from 'bun:test'
import { bytesInMemory } from '../../../src/engine/ggml-file.ts'
import { createDecoder } from '../../../src/engine/whisper/decoder.ts'
import { createEncoder } from '../../../src/engine/whisper/encoder.ts'
import { createLogMel, MEL_SCRATCH_BYTES } from '../../../src/engine/whisper/log-mel.ts'
import {
  firstRows,
  type Matrix,
  matrix,
  relativeError,
} from '../../../src/engine/whisper/reference/arithmetic.ts'
import { referenceLogMel } from '../../../src/engine/whisper/reference/log-mel.ts'
import { type ReferenceModel, readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import {
  createReferenceDecoder,
  norm,
  referenceEncode,
} from '../../../src/engine/whisper/reference/whisper.ts'
import { createWeights } from '../../../src/engine/whisper/weights.ts'
import { type TensorShape, type WhisperShape, whisperTensors } from '../../../src/engine/whisper-tensors.ts'
import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import { testAtLength, testIf } from '../../support/at-length.ts'
import { samplesOf } from '../../support/flac.ts'
import { baseModel } from '../../support/ggml.ts'
import { bundledAs, inType, randomModel, SHAPES } from '../../support/model-files.ts'
import type { Kind } from '../../support/quantize.ts'
import { weightsOf } from './attention-weights.ts'

/** For quantized weights, to which the engine adds its own rounding. */
const QUANTIZED = 1e-2
/**
 * For f16, whose products the engine computes in 16 bits: about 3e-4. Converting the weights from f32 to f16 alone changes
 * the layers of the same model by 4e-4.
 */
const HALVES = 1e-3
/** For f32, which stays f32 throughout: about 2e-6. The goal is 1e-4; 16 bits in a single place would stay below that. */
const FLOATS = 1e-5

/** Attention weights are exponentials of the scores, and keys have fewer bits than weights. */
const LISTENED_FACTOR = 2

const samples = await samplesOf('short-17.flac')
/** Start of an English transcript without timestamps, the first spoken words, and a timestamp near the end of any vocabulary. */
const ENGLISH = [50_257, 50_362, 1867, 318, 262, 6193, 287, 51_863]
/** The same in a multilingual vocabulary, with the tokens for English and transcribe. */
const MULTILINGUAL = [50_258, 50_259, 50_359, 50_363, 708, 307, 264, 5503, 51_864]
const tokensOf = ({ vocabulary }: WhisperShape) => (vocabulary === 51_864 ? ENGLISH : MULTILINGUAL)

const opened: Kernels[] = []

afterEach(async () => {
  for (const kernels of opened.splice(0)) await kernels.close()
})

type Heard = { encoded: Float32Array; logits: Float32Array; listened: Float32Array }

type Listening = { bytes: Uint8Array; model: ReferenceModel; layers: number; frames: number }

/** Encoder and decoder results of a model with this number of layers in each half. */
const hear = async ({ bytes, model, layers, frames }: Listening): Promise<Heard> => {
  const scratchBytes = Math.max(MEL_SCRATCH_BYTES, ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES)
  const kernels = await openKernels({ threads: 2, scratchBytes })
  opened.push(kernels)
  const { filters } = model.file
  const shape = { ...model.file.shape, audioLayers: layers, textLayers: layers }
  const file = createWeights({ kernels, source: bytesInMemory(bytes), file: model.file })
  const weights = { ...file, shape }
  const encoder = await createEncoder({ kernels, weights })
  const alignmentHeads = Array.from({ length: shape.textHeads }, (_, head) => [layers - 1, head] as const)
  const decoder = await createDecoder({ kernels, weights, sequencesPerSlot: 1, alignmentHeads })
  const logMel = createLogMel({ kernels, filters, bands: shape.melBands })
  logMel.compute(samples)
  const at = await encoder.encode(logMel.window(0), frames)
  const encoded = kernels.floats().slice(at / 4, at / 4 + frames * shape.audioWidth)
  await decoder.setWindow(0, at, frames)
  const tokens = tokensOf(shape)
  const logits = new Float32Array(tokens.length * shape.vocabulary)
  for (const [index, token] of tokens.entries()) {
    logits.set(
      decoder.advance([{ sequenceId: 0, tokens: [token], aligned: true }])[0]!.values,
      index * shape.vocabulary,
    )
  }
  return { encoded, logits, listened: weightsOf(decoder.alignment(0, 0)) }
}

/** [tokens][heads][frames], from the engine. */
const interleaved = (heads: Matrix[]) => {
  const [tokens, frames] = [heads[0]!.rows, heads[0]!.width]
  const all = new Float64Array(tokens * heads.length * frames)
  for (const [head, { numbers }] of heads.entries()) {
    for (let token = 0; token < tokens; token += 1) {
      const row = numbers.subarray(token * frames, (token + 1) * frames)
      all.set(row, (token * heads.length + head) * frames)
    }
  }
  return all
}

/** The expected results; the decoder attends to the output of the engine's encoder. */
const createReference = (model: ReferenceModel, frames: number) => {
  const { filters, shape } = model.file
  const mel = referenceLogMel(samples, filters, shape.melBands)
  const encoding = referenceEncode(model, firstRows(mel, 2 * frames))
  return {
    encoded: (layers: number) => norm(model, 'encoder.ln_post', encoding.layers[layers - 1]!).numbers,
    said(layers: number, encoded: Float32Array) {
      const heard = matrix(frames, shape.audioWidth, Float64Array.from(encoded))
      const cut = { ...model, file: { ...model.file, shape: { ...shape, textLayers: layers } } }
      const { logits, listened } = createReferenceDecoder(cut, heard).advance(tokensOf(shape))
      return { logits: logits.numbers, listened: interleaved(listened.at(-1)!) }
    },
  }
}

type Comparison = { bytes: Uint8Array; frames: number; layers: number[]; bound: number }

const compare = async ({ bytes, frames, layers, bound }: Comparison) => {
  const model = readReferenceModel(bytes)
  const reference = createReference(model, frames)
  for (const count of layers) {
    const heard = await hear({ bytes, model, layers: count, frames })
    const said = reference.said(count, heard.encoded)
    const errors = {
      encoded: relativeError(heard.encoded, reference.encoded(count)),
      logits: relativeError(heard.logits, said.logits),
      listened: relativeError(heard.listened, said.listened),
    }
    expect(errors.encoded).toBeLessThan(bound)
    expect(errors.logits).toBeLessThan(bound)
    expect(errors.listened).toBeLessThan(LISTENED_FACTOR * bound)
  }
}

/** Takes two minutes; the others take half a minute. */
const testInFull = testIf(process.env.LAYERS === 'all')
const EVERY_DAY: Kind[] = ['q5_1', 'f16', 'f32']
const testFor = (kind: Kind) => (EVERY_DAY.includes(kind) ? testAtLength : testInFull)

describe('tiny.en agrees with float64 after each of its layers', () => {
  for (const kind of ['q5_1', 'q5_0', 'q4_1', 'q4_0', 'q8_0'] satisfies Kind[]) {
    testFor(kind)(`in ${kind}`, async () => {
      await compare({ bytes: await bundledAs(kind), frames: 64, layers: [1, 2, 3, 4], bound: QUANTIZED })
    })
  }

  for (const [kind, bound] of [
    ['f16', HALVES],
    ['f32', FLOATS],
  ] satisfies [Kind, number][]) {
    testFor(kind)(`in ${kind}`, async () => {
      await compare({ bytes: await bundledAs(kind), frames: 64, layers: [1, 2, 3, 4], bound })
    })
  }
})

describe('base agrees with float64 after each of its layers', () => {
  const LAYERS = [1, 2, 3, 4, 5, 6]
  const bytes = () => Bun.file(baseModel.path).bytes()

  testAtLength('in q5_1, as bundled, after the last', async () => {
    await compare({ bytes: await bytes(), frames: 64, layers: LAYERS.slice(-1), bound: QUANTIZED })
  })

  for (const [kind, bound] of [
    ...(['q5_1', 'q5_0', 'q4_1', 'q4_0', 'q8_0'] as const).map((one) => [one, QUANTIZED] as const),
    ['f16', HALVES],
    ['f32', FLOATS],
  ] satisfies (readonly [Kind, number])[]) {
    testInFull(`in ${kind}`, async () => {
      await compare({ bytes: inType(await bytes(), kind), frames: 64, layers: LAYERS, bound })
    })
  }
})

describe('random weights agree with float64', () => {
  /** With few layers, most of the work is the vocabulary, and most of that is quantization. */
  const quicklyMade =
    (kind: Kind) =>
    ({ name, role }: TensorShape): Kind => {
      if (role === 'plain') return 'f32'
      return role === 'matrix' && !name.includes('embedding') ? kind : 'f16'
    }

  const cases = [
    { name: 'toy', kind: 'q4_K', melBands: 80, bound: QUANTIZED },
    { name: 'toy', kind: 'q6_K', melBands: 128, bound: QUANTIZED },
    { name: 'toy', kind: 'f32', melBands: 128, bound: FLOATS },
    { name: 'base', kind: 'f32', melBands: 80, bound: FLOATS },
    { name: 'base', kind: 'q8_0', melBands: 80, bound: QUANTIZED },
    { name: 'small', kind: 'q5_1', melBands: 80, bound: QUANTIZED },
  ] as const
  for (const { name, kind, melBands, bound } of cases) {
    const run = name === 'small' || name === 'base' ? testInFull : testAtLength
    run(`in the shape of ${name}, ${kind}, ${melBands} bands`, async () => {
      const shape = { ...SHAPES[name], melBands }
      const bytes = await randomModel({ shape, kind, ...(kind === 'q8_0' && { kindOf: quicklyMade(kind) }) })
      await compare({ bytes, frames: 128, layers: [shape.textLayers], bound })
    })
  }

  /** 20 heads, 128 bands, the largest vocabulary; a layer takes as long as all of base. */
  for (const { kind, layers, frames, bound } of [
    { kind: 'q5_0', layers: 1, frames: 20, bound: QUANTIZED },
    { kind: 'q8_0', layers: 2, frames: 128, bound: QUANTIZED },
    { kind: 'f16', layers: 2, frames: 128, bound: HALVES },
    { kind: 'f32', layers: 2, frames: 128, bound: FLOATS },
  ] as const) {
    const run = kind === 'q5_0' ? testAtLength : testInFull
    run(`in the shape of large-v3 with ${layers} layers, ${kind}`, async () => {
      const shape = { ...SHAPES['large-v3'], audioLayers: layers, textLayers: layers }
      const bytes = await randomModel({ shape, kind, ...(kind === 'q5_0' && { kindOf: quicklyMade(kind) }) })
      await compare({ bytes, frames, layers: [layers], bound })
    })
  }

  test('with types that differ from tensor to tensor, and from the file header', async () => {
    const matrices = whisperTensors(SHAPES.toy).filter(({ role }) => role === 'matrix')
    const kinds: Kind[] = ['f16', 'f32', 'q8_0', 'q5_1', 'q4_K', 'q6_K']
    const kindOf = new Map(matrices.map(({ name }, i) => [name, kinds[i % kinds.length]!]))
    const bytes = await randomModel({
      ...{ shape: SHAPES.toy, kind: 'q4_0' },
      kindOf: ({ name }) => kindOf.get(name) ?? 'f32',
    })
    await compare({ bytes, frames: 16, layers: [2], bound: QUANTIZED })
  })
})
