// The decoder's sequences: together or one by one, copied, emptied, too long. model-layers.test.ts compares the results with float64.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { createDecoder, type Decoder } from '../../../src/engine/whisper/decoder.ts'
import { createWeights } from '../../../src/engine/whisper/weights.ts'
import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import { randomModel, SHAPES } from '../../support/model-files.ts'
import { normals } from '../../wasm/whisper/variants.ts'
import { weightsOf } from './attention-weights.ts'

const SHAPE = SHAPES.toy
const SLOTS = 3
const SEQUENCES = 3
const FRAMES = 70
const HEADS = [
  [0, 1],
  [1, 3],
] as const

type Opened = { kernels: Kernels; decoder: Decoder; window: number }

const open = async (bytes: Uint8Array, threads: number): Promise<Opened> => {
  const source = bytesInMemory(bytes)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  const scratchBytes = Math.max(TOKEN_SCRATCH_BYTES, ENCODER_SCRATCH_BYTES)
  const kernels = await openKernels({ threads, scratchBytes })
  const weights = createWeights({ kernels, source, file: file.value })
  const decoder = await createDecoder({
    kernels,
    weights,
    slots: SLOTS,
    sequencesPerSlot: SEQUENCES,
    alignmentHeads: HEADS,
  })
  const window = kernels.allocate(FRAMES * SHAPE.audioWidth * 4)
  kernels.floats().set(normals(FRAMES * SHAPE.audioWidth, 1), window / 4)
  return { kernels, decoder, window }
}

const opened: Opened[] = []

beforeAll(async () => {
  const bytes = await randomModel({ shape: SHAPE, kind: 'q5_1' })
  for (const threads of [1, 2, 4]) opened.push(await open(bytes, threads))
}, 180_000)

afterAll(async () => {
  for (const { kernels } of opened) await kernels.close()
})

const decoderWithWindow = async () => {
  const { decoder, window } = opened[1]!
  await decoder.setWindow(0, window, FRAMES)
  return decoder
}

const advance = (decoder: Decoder, sequenceId: number, tokens: number[]): Float32Array =>
  decoder.advance([{ sequenceId, tokens, aligned: true }])[0]!.values.slice()

const best = (logits: Float32Array) => logits.indexOf(logits.reduce((a, b) => Math.max(a, b)))

const expectNear = (one: Float32Array, other: Float32Array) => {
  expect(best(one)).toBe(best(other))
  const difference = one.reduce((most, x, i) => Math.max(most, Math.abs(x - other[i]!)), 0)
  expect(difference).toBeLessThan(1e-3)
}

const TOKENS = [50257, 50362, 12, 4000, 318, 262, 51863]

test('gives the same result for tokens together and one by one', async () => {
  const decoder = await decoderWithWindow()
  const together = advance(decoder, 0, TOKENS)
  const one = TOKENS.map((token) => advance(decoder, 1, [token])).at(-1)!
  expectNear(together, one)
  const [all, single] = [decoder.alignment(0, 0), decoder.alignment(1, 0)]
  expect(all.tokens).toBe(TOKENS.length)
  const alone = weightsOf(single)
  expect(weightsOf(all).every((x, i) => Math.abs(x - alone[i]!) < 1e-4)).toBe(true)
})

test('gives the same result for a prompt of 200 tokens and for its parts', async () => {
  const decoder = await decoderWithWindow()
  const prompt = Array.from({ length: 200 }, (_, i) => (i * 137) % 50_000)
  const whole = advance(decoder, 0, prompt)
  advance(decoder, 1, prompt.slice(0, 33))
  advance(decoder, 1, prompt.slice(33, 199))
  expectNear(whole, advance(decoder, 1, prompt.slice(199)))
})

test('gives the same result after a step without `needsLogits`', async () => {
  const decoder = await decoderWithWindow()
  const together = advance(decoder, 0, TOKENS)
  expect(decoder.advance([{ sequenceId: 1, tokens: TOKENS.slice(0, 5), needsLogits: false }])).toEqual([])
  expect(advance(decoder, 1, TOKENS.slice(5))).toEqual(together)
})

test('gives the same result for sequences in one pass and alone', async () => {
  const decoder = await decoderWithWindow()
  const alone = [
    advance(decoder, 0, [50257, 5]),
    advance(decoder, 1, [50257, 6, 7]),
    advance(decoder, 2, [50257]),
  ]
  await decoder.setWindow(0, opened[1]!.window, FRAMES)
  const steps = [[50257, 5], [50257, 6, 7], [50257]].map((tokens, sequenceId) => ({ sequenceId, tokens }))
  const together = decoder.advance(steps).map(({ values }): Float32Array => values.slice())
  expect(together).toEqual(alone)
  expect([0, 1, 2].map(decoder.length)).toEqual([2, 3, 1])
})

test.each(['q5_1', 'f16', 'f32'] as const)(
  'gives the same bits for windows in %s side by side and alone',
  async (kind) => {
    const { kernels, decoder, window } = await open(await randomModel({ shape: SHAPE, kind }), 2)
    const sequences = [[50257, 5], [50257, 6, 7, 8, 9], [50257], [12, 13], [14, 15, 16]]
    const frames = [FRAMES, FRAMES - 9, FRAMES - 30]
    /** Two sequences in the second slot, two in the last slot whose ids are not adjacent. */
    const ids = [0, SEQUENCES, SEQUENCES + 1, 2 * SEQUENCES, 2 * SEQUENCES + 2]
    const alone: Float32Array[] = []
    for (const [at, tokens] of sequences.entries()) {
      const slot = Math.floor(ids[at]! / SEQUENCES)
      await decoder.setWindow(0, window, frames[slot]!)
      alone.push(advance(decoder, 0, tokens))
    }
    for (const [slot, count] of frames.entries()) await decoder.setWindow(slot, window, count)
    const steps = sequences.map((tokens, at) => ({ sequenceId: ids[at]!, tokens }))
    const together = decoder.advance(steps).map(({ values }): Float32Array => values.slice())
    await kernels.close()
    expect(together).toEqual(alone)
  },
)

test('restores a copied window to a slot', async () => {
  const decoder = await decoderWithWindow()
  const expected = advance(decoder, 0, TOKENS)
  const copy = decoder.copyWindow(0)
  await decoder.setWindow(0, opened[1]!.window, FRAMES - 20)
  decoder.restoreWindow(0, copy)
  expect([decoder.frames(0), decoder.length(0)]).toEqual([FRAMES, 0])
  expect(advance(decoder, 0, TOKENS)).toEqual(expected)
})

test('keeps a copied sequence independent', async () => {
  const decoder = await decoderWithWindow()
  advance(decoder, 0, TOKENS)
  decoder.copy(0, 2)
  expect(decoder.length(2)).toBe(TOKENS.length)
  const copied = advance(decoder, 2, [99])
  advance(decoder, 0, [77])
  decoder.reset(0)
  advance(decoder, 0, [1, 2, 3])
  expectNear(copied, advanceFrom(decoder, [...TOKENS, 99]))
  expectNear(advance(decoder, 2, [100]), advanceFrom(decoder, [...TOKENS, 99, 100]))
})

/** In a sequence that it empties first. */
const advanceFrom = (decoder: Decoder, tokens: number[]) => {
  decoder.reset(1)
  return advance(decoder, 1, tokens)
}

test('stores attention that adds up to 1 over the frames', async () => {
  const decoder = await decoderWithWindow()
  advance(decoder, 0, TOKENS)
  const alignment = decoder.alignment(0, 4)
  const { tokens, heads, frames } = alignment
  const weights = weightsOf(alignment)
  expect({ tokens, heads, frames }).toEqual({ tokens: 3, heads: HEADS.length, frames: FRAMES })
  for (let row = 0; row < tokens * heads; row += 1) {
    const shares = weights.subarray(row * frames, (row + 1) * frames)
    expect(shares.every((share) => share >= 0)).toBe(true)
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 4)
  }
  expect(decoder.alignment(0, 99).tokens).toBe(0)
})

test('empties every sequence when it receives a window', async () => {
  const decoder = await decoderWithWindow()
  const before = advance(decoder, 0, TOKENS)
  await decoder.setWindow(0, opened[1]!.window, FRAMES - 7)
  expect([decoder.length(0), decoder.frames(0)]).toEqual([0, FRAMES - 7])
  await decoder.setWindow(0, opened[1]!.window, FRAMES)
  expectNear(before, advance(decoder, 0, TOKENS))
})

test('yields to messages while it packs a window', async () => {
  const { decoder, window } = opened[1]!
  let messages = 0
  setImmediate(() => {
    messages += 1
  })
  await decoder.setWindow(0, window, FRAMES)
  expect(messages).toBe(1)
})

test('rejects a sequence beyond the model’s context, and leaves it unchanged', async () => {
  const decoder = await decoderWithWindow()
  const most = Array.from({ length: SHAPE.textTokens }, (_, i) => i)
  advance(decoder, 0, most)
  const steps = [
    { sequenceId: 1, tokens: [1] },
    { sequenceId: 0, tokens: [1] },
  ]
  expect(() => decoder.advance(steps)).toThrow(RangeError)
  expect([decoder.length(0), decoder.length(1)]).toEqual([SHAPE.textTokens, 0])
})

test('survives a NaN window without effect on the next', async () => {
  const { decoder, kernels } = opened[1]!
  const expected = advance(await decoderWithWindow(), 0, TOKENS)
  const broken = kernels.allocate(FRAMES * SHAPE.audioWidth * 4)
  kernels.floats().fill(Number.NaN, broken / 4, broken / 4 + FRAMES * SHAPE.audioWidth)
  await decoder.setWindow(0, broken, FRAMES)
  advance(decoder, 0, TOKENS)
  expect(advance(await decoderWithWindow(), 0, TOKENS)).toEqual(expected)
})

test('gives the same bits with one, two and four threads', async () => {
  const [first, ...others] = await Promise.all(
    opened.map(async ({ decoder, window }) => {
      await decoder.setWindow(0, window, FRAMES)
      return advance(decoder, 0, TOKENS)
    }),
  )
  for (const other of others) expect(other).toEqual(first!)
})
