// Live transcription: takes samples as they arrive, emits words once they are certain and utterances once they end.

import type { SpeechDetector } from '../../audio/speech-detector.ts'
import type { SpeechFailure } from '../../audio/speech-host.ts'
import { ABORTED, type Engine, type EngineFailure, SAMPLE_RATE } from '../../engine/engine.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createLiveAudio } from './audio.ts'
import { createSegmenter, type SegmenterRequest } from './segmenter.ts'
import type { WritingFailure } from './utterance.ts'

export type LiveFailure =
  | EngineFailure
  | SpeechFailure
  | WritingFailure
  /** too much audio is waiting to be transcribed */
  | { code: 'too_far_behind'; message: string }

export type LiveTranscription = {
  /** 16 kHz mono in −1…1, in pieces of any size; copies them; ignored after the end */
  push(samples: Float32Array): void
  /** ends the input; the remaining audio is transcribed */
  finish(): void
  /** resolves when everything is transcribed, or with the failure that ended the stream; no callback follows */
  ended: Promise<Result<null, LiveFailure>>
}

export type LiveDeps = {
  engine: Pick<Engine, 'transcribe'>
  detector: Pick<SpeechDetector, 'follow'>
}

/** Detector interval: a pause should be noticed early, because the utterance is transcribed during it. */
const STEP_EVERY = SAMPLE_RATE / 10
/** Ten minutes: 40 MB, and longer than any user waits. */
const MAX_WAITING = 600 * SAMPLE_RATE

const TOO_FAR_BEHIND = {
  code: 'too_far_behind' as const,
  message:
    'Ten minutes of audio are waiting: this computer is too slow for live use of this model. Use a smaller one.',
}

export function createLiveTranscription(
  { engine, detector }: LiveDeps,
  request: SegmenterRequest,
): LiveTranscription {
  const over = new AbortController()
  const signal = AbortSignal.any([request.signal, over.signal])
  const audio = createLiveAudio(detector.follow({ signal }))
  const segmenter = createSegmenter({ engine, audio }, { ...request, signal })
  const { promise: ended, resolve: endWith, reject } = Promise.withResolvers<Result<null, LiveFailure>>()
  let arrival = Promise.withResolvers<void>()
  let isFinishing = false
  let coveredSample = 0

  /** Steps run one after another, never two at once; the next one handles audio that arrives meanwhile. */
  const run = async (): Promise<Result<null, LiveFailure>> => {
    while (!signal.aborted) {
      const isEnd = isFinishing
      const stepped = await detectAndStep(isEnd)
      if (!stepped.ok) return stepped
      const { more } = stepped.value
      coveredSample = stepped.value.coveredSample
      if (isEnd && !more) return succeed(null)
      if (!more) await untilEnoughAudio()
    }
    return fail(ABORTED)
  }

  const detectAndStep = async (isEnd: boolean) => {
    const followed = await audio.follow(isEnd)
    return followed.ok ? segmenter.step(isEnd) : followed
  }

  const untilEnoughAudio = async () => {
    while (!isFinishing && !signal.aborted && audio.arrivedSamples() - audio.followedSamples() < STEP_EVERY) {
      arrival = Promise.withResolvers()
      await arrival.promise
    }
  }

  const stop = () => {
    endWith(fail(request.signal.aborted ? ABORTED : TOO_FAR_BEHIND))
    arrival.resolve()
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  run()
    .finally(() => {
      isFinishing = true
      // A combined signal with a listener lives as long as its source signals.
      signal.removeEventListener('abort', stop)
      // Ends a preview that is still running: it must emit nothing after the end.
      over.abort()
    })
    .then(endWith, reject)

  return {
    push(samples) {
      if (isFinishing || signal.aborted) return
      audio.push(samples)
      if (audio.arrivedSamples() - coveredSample > MAX_WAITING) over.abort()
      arrival.resolve()
    },
    finish() {
      isFinishing = true
      arrival.resolve()
    },
    ended,
  }
}
