import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { loadSpeechModel } from '../../src/audio/speech-model.ts'
import { createTestDecoder, SPEECH_FOLDER } from './decoded.ts'
import { RECORDINGS, recordedProbabilities } from './silero/recorded.ts'

/** Both compute in f32, but sum in a different order; the largest difference seen was 1.3e-5. */
const MAX_APART = 1e-4

const decoders = await createTestDecoder()
afterAll(() => decoders[Symbol.asyncDispose]())
const model = await loadSpeechModel()
const recorded = await recordedProbabilities()
const samplesOf = (name: string) => decoders.samplesOf(join(SPEECH_FOLDER, name))

test.each([...RECORDINGS])('returns the same probabilities as ONNX Runtime for %s', async (name) => {
  const { probabilities } = model.detect(await samplesOf(name), null)
  const expected = recorded[name]!
  expect(probabilities.length).toBe(expected.length)
  const apart = expected.map((probability, frame) => Math.abs(probability - probabilities[frame]!))
  expect(Math.max(...apart)).toBeLessThan(MAX_APART)
})

test('returns the same probabilities for a recording in pieces', async () => {
  const samples = (await samplesOf('human-4.flac')).subarray(0, 100 * 512)
  const whole = model.detect(samples, null)
  const first = model.detect(samples.subarray(0, 33 * 512), null)
  const rest = model.detect(samples.subarray(33 * 512), first.memory)
  expect([...first.probabilities, ...rest.probabilities]).toEqual([...whole.probabilities])
  expect(rest.memory).toEqual(whole.memory)
})

test('pads an incomplete frame with silence, and accepts no samples', async () => {
  const samples = (await samplesOf('human-4.flac')).subarray(16_000, 16_000 + 700)
  const filled = new Float32Array(1024)
  filled.set(samples)
  expect(model.detect(samples, null)).toEqual(model.detect(filled, null))
  const { memory } = model.detect(samples, null)
  expect(model.detect(new Float32Array(), memory)).toEqual({ probabilities: new Float32Array(), memory })
})
