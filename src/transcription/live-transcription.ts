// Speech written down while it is spoken: samples are pushed as they arrive, words come back when they are certain, and
// utterances when they are over. Takes them in and keeps pace; what is done at each look is live-listener.ts's.

import type { SpeechFailure } from '../audio/detect-with-retry.ts'
import type { SpeechDetector } from '../audio/speech-detector.ts'
import { ABORTED, type Engine, type EngineFailure, SAMPLE_RATE } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { createLiveAudio } from './live-audio.ts'
import { createLiveListener, type ListenerRequest } from './live-listener.ts'
import type { WritingFailure } from './live-utterance.ts'

export type LiveFailure =
  | EngineFailure
  | SpeechFailure
  | WritingFailure
  /** audio came so much faster than it could be heard that it is not kept any more */
  | { code: 'too_far_behind'; message: string }

export type LiveTranscription = {
  /** 16 kHz mono in −1…1, in pieces of any size, which are copied; ignored after the end */
  push(samples: Float32Array): void
  /** nothing more will come: what is left is written */
  finish(): void
  /** when all is written, or what ended it. Nothing is called after that. */
  ended: Promise<Result<null, LiveFailure>>
}

export type LiveDeps = {
  engine: Pick<Engine, 'transcribe'>
  detector: Pick<SpeechDetector, 'follow'>
}

/** How often the detector is asked for news: a pause is to be noticed soon, since what was said before it is written then. */
const LOOK_EVERY = SAMPLE_RATE / 10
/** Ten minutes: 40 MB, and more than anybody waits for. */
const MOST_UNHEARD = 600 * SAMPLE_RATE

const TOO_FAR_BEHIND = {
  code: 'too_far_behind' as const,
  message: 'Ten minutes of audio wait to be heard: this machine is too slow for this model in live use.',
}

export function createLiveTranscription(
  { engine, detector }: LiveDeps,
  request: ListenerRequest,
): LiveTranscription {
  const over = new AbortController()
  const signal = AbortSignal.any([request.signal, over.signal])
  const audio = createLiveAudio(detector.follow({ signal }))
  const listener = createLiveListener({ engine, audio }, { ...request, signal })
  const { promise: ended, resolve: endWith, reject } = Promise.withResolvers<Result<null, LiveFailure>>()
  let news = Promise.withResolvers<void>()
  let isFinishing = false
  let coveredSample = 0

  /** One look after another, never two at once: what arrives meanwhile is seen by the next. */
  const listen = async (): Promise<Result<null, LiveFailure>> => {
    while (!signal.aborted) {
      const isEnd = isFinishing
      const looked = await lookAgain(isEnd)
      if (!looked.ok) return looked
      const { more } = looked.value
      coveredSample = looked.value.coveredSample
      if (isEnd && !more) return succeed(null)
      if (!more) await enoughNews()
    }
    return fail(ABORTED)
  }

  const lookAgain = async (isEnd: boolean) => {
    const followed = await audio.follow(isEnd)
    return followed.ok ? listener.look(isEnd) : followed
  }

  const enoughNews = async () => {
    while (!isFinishing && !signal.aborted && audio.arrivedSamples() - audio.followedSamples() < LOOK_EVERY) {
      news = Promise.withResolvers()
      await news.promise
    }
  }

  const stop = () => {
    endWith(fail(request.signal.aborted ? ABORTED : TOO_FAR_BEHIND))
    news.resolve()
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  listen()
    .finally(() => {
      isFinishing = true
      // A signal that is listened to lives as long as those it is made of.
      signal.removeEventListener('abort', stop)
      // What is still heard beside it would be told too late.
      over.abort()
    })
    .then(endWith, reject)

  return {
    push(samples) {
      if (isFinishing || signal.aborted) return
      audio.push(samples)
      if (audio.arrivedSamples() - coveredSample > MOST_UNHEARD) over.abort()
      news.resolve()
    },
    finish() {
      isFinishing = true
      news.resolve()
    },
    ended,
  }
}
