// A model that hears a sentence before anybody asks: it leaves nothing behind, and gives way at once.
// When it does so is the recogniser's; what a start gains by it is measured, not asserted.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { watchKernels } from '../../../scripts/bench/engine/watch-kernels.ts'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { rehearse } from '../../../src/engine/whisper/rehearsal.ts'
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

const hear = () =>
  model.transcribe({ samples: clip.slice(), language: 'en', task: 'transcribe', prompt: null, signal: never })

/** Kernels that ran. */
const runsOf = async (work: Promise<unknown>) => {
  watched.takeRuns()
  await work
  return watched.takeRuns().length
}

test('what is heard afterwards is what is heard without it', async () => {
  const before = await hear()
  expect(await runsOf(rehearse(model, { modelBytes, signal: never }))).toBeGreaterThan(100)
  expect(await hear()).toEqual(before)
})

test('it ends within a layer when somebody comes, and what was heard before it was ended changes nothing', async () => {
  const before = await hear()
  const whole = await runsOf(rehearse(model, { modelBytes, signal: never }))
  const ending = new AbortController()
  const ended = await runsOf(
    Promise.all([
      rehearse(model, { modelBytes, signal: ending.signal }),
      // As a message does: it is taken in between two steps of a layer.
      new Promise<void>((resolve) => setTimeout(() => resolve(ending.abort()))),
    ]),
  )
  expect(ended).toBeLessThan(whole / 2)
  expect(await hear()).toEqual(before)
})

test('refuses to begin with a model that computes for long', async () => {
  expect(await runsOf(rehearse(model, { modelBytes: 500_000_000, signal: never }))).toBe(0)
})
