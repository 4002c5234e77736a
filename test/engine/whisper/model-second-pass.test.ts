// The second pass over a window: the same text as in a first pass, for half of the work.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { watchKernels } from '../../../scripts/bench/engine/watch-kernels.ts'
import { createWhisperEngine } from '../../../src/engine/create-engine.ts'
import type { Segment } from '../../../src/engine/engine.ts'
import type { DecodedSegment } from '../../../src/engine/whisper/decoding/decode-segment.ts'
import type { SamplesRequest } from '../../../src/engine/whisper/decoding/transcribe.ts'
import { openModel, type WhisperModel } from '../../../src/engine/whisper/model.ts'
import { testAtLength } from '../../support/at-length.ts'
import { samplesOf } from '../../support/flac.ts'
import { bundledBytes, bundledModel } from '../../support/ggml.ts'
import { readModel } from '../hearers.ts'

let model: WhisperModel
const watched = watchKernels()
let stopAtProgress = false
const [clip, other] = [await samplesOf('human-4.flac'), await samplesOf('short-01.flac')]
/** Its last sentence forms a second piece. */
const inTwoPieces = (await samplesOf('long-3-minutes.flac')).slice(0, 27 * 16_000)

beforeAll(async () => {
  model = await openModel({ ...readModel(await bundledBytes()), threads: 2, open: watched.open })
})

afterAll(() => model.close())

const transcribeWindow = async (
  samples: Float32Array,
  sameSamples: boolean,
  more: Partial<SamplesRequest> = {},
) => {
  const stop = new AbortController()
  watched.takeRuns()
  const result = await model.transcribe({
    ...{
      samples: samples.slice(),
      sameSamples,
      language: 'en',
      task: 'transcribe',
      prompt: 'Spoken by Ann.',
    },
    previousText: 'It was said before.',
    strategy: { strategy: 'beam' },
    signal: stop.signal,
    onProgress: () => stopAtProgress && stop.abort(),
    ...more,
  })
  return { result, runs: watched.takeRuns().length }
}

test('does not encode the same window again, and gives the same text', async () => {
  const first = await transcribeWindow(clip, false)
  const again = await transcribeWindow(clip, true)
  expect(again.result).toEqual(first.result)
  expect(again.runs).toBeLessThan(first.runs)
  // Without sameSamples the audio is encoded again.
  expect((await transcribeWindow(clip, false)).runs).toBe(first.runs)
})

testAtLength('does not encode it again after its second piece was encoded', async () => {
  const alone = await transcribeWindow(inTwoPieces, false)
  const unencoded = await transcribeWindow(inTwoPieces, true)
  const pieces: number[] = []
  const onPiece = ({ fromFrame }: DecodedSegment) => pieces.push(fromFrame)
  await transcribeWindow(inTwoPieces, false, { prompt: null, previousText: undefined, strategy: {}, onPiece })
  expect(pieces).toHaveLength(2)
  const again = await transcribeWindow(inTwoPieces, true)
  expect(again.result).toEqual(alone.result)
  expect(again.runs).toBe(unencoded.runs)
  expect(again.runs).toBeLessThan(alone.runs)
})

test('does not encode it again after another window', async () => {
  const first = await transcribeWindow(clip, false)
  await transcribeWindow(other, false)
  const again = await transcribeWindow(clip, true)
  expect(again.result).toEqual(first.result)
  expect(again.runs).toBeLessThan(first.runs)
})

test('does not encode it again after an aborted window', async () => {
  const first = await transcribeWindow(clip, false)
  stopAtProgress = true
  const outcome = await transcribeWindow(clip, false).then(
    () => 'completed',
    () => 'broken off',
  )
  expect(outcome).toBe('broken off')
  stopAtProgress = false
  expect((await transcribeWindow(clip, true)).result).toEqual(first.result)
})

test('uses this for a second pass of the engine', async () => {
  const engine = createWhisperEngine({ threads: 2 })
  const once = (secondPass?: { previousText: string }) =>
    engine.transcribe({
      ...{ model: bundledModel, samples: clip, language: 'en', task: 'transcribe', prompt: 'Spoken by Ann.' },
      ...{ secondPass, signal: new AbortController().signal },
    })
  const first = await once()
  const again = await once({ previousText: 'It was said before.' })
  await engine.close()
  expect(again).toEqual({
    ok: true,
    value: (await transcribeWindow(clip, false, { wordTimes: false })).result,
  })
  expect(again).not.toEqual(first)
})

const textOf = ({ segments }: { segments: Segment[] }) => segments.map(({ words: _, ...segment }) => segment)

test('gives the same segments without word times, for less work', async () => {
  const timed = await transcribeWindow(clip, false)
  const untimed = await transcribeWindow(clip, false, { wordTimes: false })
  expect(textOf(untimed.result)).toEqual(textOf(timed.result))
  expect(untimed.runs).toBeLessThan(timed.runs)
})

testAtLength('times the words of two pieces nevertheless, to find repeated ones', async () => {
  const alone = { prompt: null, previousText: undefined, strategy: {} }
  expect(await transcribeWindow(inTwoPieces, false, { ...alone, wordTimes: false })).toEqual(
    await transcribeWindow(inTwoPieces, false, alone),
  )
})
