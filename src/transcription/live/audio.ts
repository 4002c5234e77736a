// The retained part of a stream: its samples and the speech spans in them. The caller decides what to drop.

import type { SpeechFailure } from '../../audio/speech-host.ts'
import { SPEECH_FRAME_SAMPLES } from '../../audio/speech-level.ts'
import { createSpanFinder, NARROW, type SpeechSpan } from '../../audio/speech-spans.ts'
import type { StreamingVad } from '../../audio/streaming-vad.ts'
import { type Result, succeed } from '../../lib/result.ts'

/** Samples count from the first one pushed. */
export type SampleStore = {
  /** copies; NaN becomes silence and values are clipped to −1…1, as engines require */
  push(samples: Float32Array): void
  /** number of samples pushed so far */
  samples(): number
  /** skips samples that were dropped or not pushed yet */
  read(fromSample: number, toSample: number): Float32Array
  /** may drop earlier samples */
  dropBefore(sample: number): void
}

/** Pieces may be single samples; they are stored in blocks of about a second. */
const BLOCK_SAMPLES = 16_384

export function createSampleStore(): SampleStore {
  const blocks: Float32Array[] = []
  let firstBlock = 0
  let end = 0

  const blockAt = (sample: number): Float32Array | undefined =>
    blocks[Math.floor(sample / BLOCK_SAMPLES) - firstBlock]

  return {
    push(samples) {
      let at = 0
      while (at < samples.length) {
        const offset = end % BLOCK_SAMPLES
        if (offset === 0) blocks.push(new Float32Array(BLOCK_SAMPLES))
        const piece = samples.subarray(at, at + BLOCK_SAMPLES - offset)
        blocks.at(-1)!.set(piece.map(playable), offset)
        at += piece.length
        end += piece.length
      }
    },
    samples: () => end,
    read(fromSample, toSample) {
      const from = Math.max(fromSample, firstBlock * BLOCK_SAMPLES)
      const audio = new Float32Array(Math.max(0, Math.min(toSample, end) - from))
      let at = 0
      while (at < audio.length) {
        const offset = (from + at) % BLOCK_SAMPLES
        const piece = blockAt(from + at)!.subarray(offset, offset + audio.length - at)
        audio.set(piece, at)
        at += piece.length
      }
      return audio
    },
    dropBefore(sample) {
      const block = Math.floor(Math.min(sample, end) / BLOCK_SAMPLES)
      if (block <= firstBlock) return
      blocks.splice(0, block - firstBlock)
      firstBlock = block
    },
  }
}

const playable = (sample: number): number => (Number.isNaN(sample) ? 0 : Math.max(-1, Math.min(1, sample)))

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
