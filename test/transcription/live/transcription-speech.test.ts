// Real speech with the real engine and detector. The stream waits for each preview: tests results, not speed.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSpeechDetector } from '../../../src/audio/speech-detector.ts'
import { createEngine } from '../../../src/engine/create-engine.ts'
import type { Engine, WindowRequest } from '../../../src/engine/engine.ts'
import { align } from '../../../src/lib/alignment.ts'
import { succeed } from '../../../src/lib/result.ts'
import type { ConfirmedPiece } from '../../../src/transcription/live/agreement.ts'
import { createLiveTranscription } from '../../../src/transcription/live/transcription.ts'
import { SILENCE_MS, type Utterance } from '../../../src/transcription/live/utterance.ts'
import { testAtLength } from '../../support/at-length.ts'
import { joinedSamples, samplesOf } from '../../support/flac.ts'
import { bundledModel } from '../../support/ggml.ts'
import { wordsOf } from '../../support/speech.ts'
import { until } from '../../support/until.ts'

/** Long enough for a busy machine. */
const PATIENCE_MS = 300_000
setDefaultTimeout(PATIENCE_MS)

const RATE = 16_000
const PIECE = RATE / 2
/** The detector processes whole frames only. */
const FRAME = 512

const engine = createEngine({ choice: 'auto', threads: 2 })
const detector = createSpeechDetector({ idleUnloadMs: () => 60_000 })

beforeAll(async () => {
  const loaded = await engine.load(bundledModel)
  if (!loaded.ok) throw new Error(loaded.failure.message)
})
afterAll(async () => {
  await engine.close()
  await detector.close()
})

const request = {
  model: bundledModel,
  language: 'en',
  task: 'transcribe' as const,
  prompt: null,
  signal: new AbortController().signal,
}

/** The engine and the detector, with counters of their activity. */
function watched() {
  const state = { busy: 0, previews: 0, followedSamples: 0 }
  const during = async <T>(work: Promise<T>): Promise<T> => {
    state.busy++
    try {
      return await work
    } finally {
      state.busy--
    }
  }
  const watchedEngine: Pick<Engine, 'transcribe'> = {
    transcribe(window: WindowRequest) {
      state.previews++
      return during(engine.transcribe(window))
    },
  }
  const watchedDetector: Pick<typeof detector, 'follow'> = {
    follow(options) {
      const follower = detector.follow(options)
      return {
        async follow(samples) {
          const followed = await during(follower.follow(samples))
          state.followedSamples += samples.length
          return followed
        },
      }
    },
  }
  return { state, engine: watchedEngine, detector: watchedDetector }
}

/** Pushes pieces of half a second and waits for each preview. Utterances are collected, not transcribed. */
async function fed(samples: Float32Array) {
  const { state, ...deps } = watched()
  const confirmed: (ConfirmedPiece & { afterSamples: number })[] = []
  const partials: string[] = []
  const utterances: Utterance[] = []
  let arrived = 0
  const live = createLiveTranscription(deps, {
    ...request,
    onConfirmed: (piece) => confirmed.push({ ...piece, afterSamples: arrived }),
    onPartial: (text) => partials.push(text),
    onSlow() {},
    utterances: {
      silenceMs: SILENCE_MS.usual,
      begins() {},
      ends() {},
      write: async (utterance) => succeed(() => void utterances.push(utterance)),
    },
  })
  while (arrived < samples.length) {
    const piece = samples.subarray(arrived, arrived + PIECE)
    arrived += piece.length
    live.push(piece)
    if (piece.length < PIECE) break
    await until(() => state.followedSamples > arrived - FRAME && state.busy === 0, { timeoutMs: PATIENCE_MS })
  }
  live.finish()
  const ended = await live.ended
  if (!ended.ok) throw new Error(ended.failure.message)
  return { utterances, confirmed, partials, previews: state.previews }
}

testAtLength('confirms words while speech arrives, and they match a transcription of the whole', async () => {
  const samples = await joinedSamples(['short-03.flac', 0.5, 'short-09.flac', 0.5, 'short-23.flac', 0.5])
  const whole = await engine.transcribe({ ...request, samples })
  if (!whole.ok) throw new Error(whole.failure.message)
  const wholeWords = wordsOf(whole.value.segments.map(({ text }) => text).join(' '))

  const { utterances, confirmed, partials, previews } = await fed(samples)
  const words = wordsOf(confirmed.map(({ text }) => text).join(''))
  expect(words.length).toBeGreaterThan(wholeWords.length / 2)
  expect(align(words, wholeWords).ofInput.filter((partner) => partner < 0).length).toBeLessThanOrEqual(1)
  expect(confirmed[0]!.afterSamples).toBeLessThan(samples.length / 2)
  expect(partials.length).toBeGreaterThan(2)
  expect(previews).toBeLessThanOrEqual((2 * samples.length) / RATE)

  for (const [index, { startMs, endMs }] of confirmed.entries()) {
    expect(startMs).toBeGreaterThanOrEqual(confirmed[index - 1]?.endMs ?? 0)
    expect(endMs).toBeGreaterThanOrEqual(startMs)
    const isWritten = ({ fromSample, toSample }: Utterance) =>
      startMs >= (fromSample * 1000) / RATE && endMs <= (toSample * 1000) / RATE
    expect(utterances.some(isWritten)).toBe(true)
  }
})

test('emits no words for silence, hum, noise and music', async () => {
  for (const file of [
    'nothing-silence.flac',
    'nothing-hum.flac',
    'nothing-white-noise.flac',
    'nothing-chord.flac',
  ]) {
    const { confirmed, partials } = await fed(await samplesOf(file))
    expect([confirmed, partials]).toEqual([[], []])
  }
})
