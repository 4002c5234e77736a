// The parts of a recording that need no browser: ring buffer, WAV file, silence.

import { expect, test } from 'bun:test'
import { createSampleRing } from '../../../src/ui/record/sample-ring.ts'
import { watchSilence } from '../../../src/ui/record/take.ts'
import { wavOf } from '../../../src/ui/record/wav.ts'
import { wavHeader } from '../../support/wav.ts'

const batchOf = (value: number, length = 1024) => new Int16Array(length).fill(value)

test('the ring holds the last half second, in order, and is empty after it was taken', () => {
  const ring = createSampleRing(24_000)
  for (let batch = 0; batch < 200; batch += 1) ring.push(batchOf(batch))
  const taken = ring.take()
  const samples = taken.reduce((sum, { length }) => sum + length, 0)
  expect(samples).toBeGreaterThanOrEqual(24_000)
  expect(samples).toBeLessThan(24_000 + 1024)
  expect(taken.map((batch) => batch[0]!)).toEqual(taken.map((_, at) => 200 - taken.length + at))
  expect(ring.take()).toEqual([])
})

test('a recording is encoded as a WAV file of its samples', async () => {
  const wav = await wavOf([batchOf(3), batchOf(-7, 10)], 44_100).bytes()
  expect(wav.subarray(0, 44)).toEqual(wavHeader({ dataBytes: 2068, rate: 44_100, channels: 1 }))
  expect(new Int16Array(wav.slice(44).buffer)).toEqual(Int16Array.of(...batchOf(3), ...batchOf(-7, 10)))
})

test('five seconds without sound are reported, and the time since speech is measured in samples', () => {
  const silence = watchSilence(1000)
  for (let second = 0; second < 4; second += 1) silence.push(batchOf(12, 1000))
  expect(silence.seemsOff()).toBe(false)
  silence.push(batchOf(12, 1000))
  expect(silence.seemsOff()).toBe(true)
  silence.push(batchOf(900, 1000))
  expect(silence.seemsOff()).toBe(false)
  expect(silence.afterSpeech()).toBe(0)
  silence.receive({ type: 'speech_stopped', utterance: 1, time: 5 })
  expect(silence.afterSpeech()).toBe(1)
  silence.push(batchOf(12, 1500))
  expect(silence.afterSpeech()).toBe(2.5)
  silence.receive({ type: 'speech_started', utterance: 2, time: 7 })
  expect(silence.afterSpeech()).toBe(0)
})
