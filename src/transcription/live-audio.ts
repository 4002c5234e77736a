// The retained part of a stream: its samples and the speech spans in them. The caller decides what to drop.

import { SPEECH_FRAME_SAMPLES } from '../audio/speech-frame.ts'
import type { SpeechFailure } from '../audio/speech-host.ts'
import { createSpanFinder, NARROW, type SpeechSpan } from '../audio/speech-spans.ts'
import type { StreamingVad } from '../audio/streaming-vad.ts'
import { type Result, succeed } from '../lib/result.ts'
import { createSampleStore } from './sample-store.ts'

/** Samples count from the start of the stream. */
export type LiveAudio = {
  /** copies the samples */
  push(samples: Float32Array): void
  arrivedSamples(): number
  followedSamples(): number
  /** first retained sample; a multiple of the detector's frame */
  keptFromSample(): number
  /** runs the detector over new samples; whole frames only, unless `end` */
  follow(end: boolean): Promise<Result<null, SpeechFailure>>
  /** speech in the retained, followed samples; an open span ends at the last followed sample */
  spans(): SpeechSpan[]
  /** skips samples that were dropped or have not arrived */
  read(fromSample: number, toSample: number): Promise<Float32Array>
  /** drops earlier samples, to within 32 ms */
  dropBefore(sample: number): void
}

export function createLiveAudio(follower: StreamingVad): LiveAudio {
  const store = createSampleStore()
  let probabilities: number[] = []
  /** first sample of the first probability; a multiple of SPEECH_FRAME_SAMPLES */
  let keptFrom = 0
  let followed = 0

  return {
    push: store.push,
    arrivedSamples: store.samples,
    followedSamples: () => followed,
    keptFromSample: () => keptFrom,
    async follow(end) {
      const arrived = store.samples()
      const until = end ? arrived : arrived - (arrived % SPEECH_FRAME_SAMPLES)
      if (until <= followed) return succeed(null)
      const result = await follower.follow(store.read(followed, until))
      if (!result.ok) return result
      probabilities.push(...result.value)
      followed = until
      return succeed(null)
    },
    spans() {
      const finder = createSpanFinder(followed - keptFrom, NARROW)
      const found = finder.push(Float32Array.from(probabilities))
      return [...found, ...finder.finish()].map((span) => later(span, keptFrom))
    },
    read: async (fromSample, toSample) => store.read(fromSample, toSample),
    dropBefore(sample) {
      const frames = Math.floor((Math.min(sample, followed) - keptFrom) / SPEECH_FRAME_SAMPLES)
      if (frames <= 0) return
      probabilities = probabilities.slice(frames)
      keptFrom += frames * SPEECH_FRAME_SAMPLES
      store.dropBefore(keptFrom)
    },
  }
}

const later = (span: SpeechSpan, samples: number): SpeechSpan => ({
  ...span,
  fromSample: span.fromSample + samples,
  toSample: span.toSample + samples,
  speechFromSample: span.speechFromSample + samples,
  speechToSample: span.speechToSample + samples,
})
