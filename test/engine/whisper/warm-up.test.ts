// The warm-up of a model: it has no effect on later results, and yields at once.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { watchKernels } from '../../../scripts/bench/engine/watch-kernels.ts'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { warmUpModel } from '../../../src/engine/whisper/warm-up.ts'
import { samplesOf } from '../../support/flac.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { readModel } from '../hearers.ts'

let model: WhisperModel
const watched = watchKernels()
const clip = await samplesOf('short-01.flac')
const modelBytes = 32_000_000
const never = new AbortController().signal

beforeAll(async () => {
  model = await openModel({ ...readModel(await bundledBytes()), threads: 2, open: watched.open })
})
afterAll(() => model.close())

const transcribeWindow = () =>
  model.transcribe({ samples: clip.slice(), language: 'en', task: 'transcribe', prompt: null, signal: never })

/** The number of kernels that ran. */
const runsOf = async (work: Promise<unknown>) => {
  watched.takeRuns()
  await work
  return watched.takeRuns().length
}

test('does not change later results', async () => {
  const before = await transcribeWindow()
  expect(await runsOf(warmUpModel(model, { modelBytes, signal: never }))).toBeGreaterThan(100)
  expect(await transcribeWindow()).toEqual(before)
})

test('ends within a layer when it is aborted, and does not change later results', async () => {
  const before = await transcribeWindow()
  const whole = await runsOf(warmUpModel(model, { modelBytes, signal: never }))
  const ending = new AbortController()
  const ended = await runsOf(
    Promise.all([
      warmUpModel(model, { modelBytes, signal: ending.signal }),
      // Arrives like a message, between two steps of a layer.
      new Promise<void>((resolve) => setTimeout(() => resolve(ending.abort()))),
    ]),
  )
  expect(ended).toBeLessThan(whole / 2)
  expect(await transcribeWindow()).toEqual(before)
})

test('does nothing for a large model', async () => {
  expect(await runsOf(warmUpModel(model, { modelBytes: 500_000_000, signal: never }))).toBe(0)
})
