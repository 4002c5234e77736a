// Streaming speech detection: returns the speech probability of each 32 ms, at a gain that follows the voice.
// Retains no audio.

import { type Result, succeed } from '../lib/result.ts'
import type { SpeechFailure, SpeechHost } from './speech-host.ts'
import { blockLevel, detectorGain, LEVEL_BLOCK_SAMPLES, SPEECH_FRAME_SAMPLES } from './speech-level.ts'
import type { SpeechMemory } from './speech-messages.ts'

export type StreamingVad = {
  /**
   * Returns one probability per started 512 samples. Pieces must follow one another without a gap, and all but the last
   * must be multiples of 512 samples long. One call at a time.
   */
  follow(samples: Float32Array): Promise<Result<Float32Array, SpeechFailure>>
}

/** A block of a file is scaled with the blocks on both sides; of a stream only the past is known. */
const LEVEL_MEMORY_SAMPLES = 2 * LEVEL_BLOCK_SAMPLES

/** @param detect sends a request to the detector's process */
export function createStreamingVad(detect: (question: DetectionRequest) => Answer): StreamingVad {
  let memory: SpeechMemory | null = null
  let recent: { level: number; samples: number }[] = []
  /** the last samples before a piece */
  let before = new Float32Array(0)

  /** One gain for the whole piece, so that a pause in it is not raised to the loudness of the voice beside it. */
  const gainFor = (samples: Float32Array): number => {
    const measured = withEnough(before, samples)
    before = measured.slice(-MIN_MEASURED_SAMPLES)
    recent = latest([...recent, { level: blockLevel(measured), samples: samples.length }])
    return detectorGain(recent.map(({ level }) => level))
  }

  return {
    async follow(samples) {
      const probabilities = new Float32Array(Math.ceil(samples.length / SPEECH_FRAME_SAMPLES))
      // In blocks, so that one gain does not apply to minutes of queued audio.
      for (let start = 0; start < samples.length; start += LEVEL_BLOCK_SAMPLES) {
        const block = samples.slice(start, start + LEVEL_BLOCK_SAMPLES)
        const gain = gainFor(block)
        const result = await detect({ scaled: block.map((sample) => sample * gain), memory })
        if (!result.ok) return result
        memory = result.value.memory
        probabilities.set(result.value.probabilities, start / SPEECH_FRAME_SAMPLES)
      }
      return succeed(probabilities)
    },
  }
}

/** In a shorter piece a click cannot be distinguished from a voice. */
const MIN_MEASURED_SAMPLES = 16 * SPEECH_FRAME_SAMPLES

function withEnough(before: Float32Array, samples: Float32Array): Float32Array {
  const missing = Math.min(before.length, MIN_MEASURED_SAMPLES - samples.length)
  if (missing <= 0) return samples
  const both = new Float32Array(missing + samples.length)
  both.set(before.subarray(-missing))
  both.set(samples, missing)
  return both
}

type DetectionRequest = { scaled: Float32Array; memory: SpeechMemory | null }
type Answer = ReturnType<SpeechHost['detect']>

/** The last pieces that together cover LEVEL_MEMORY_SAMPLES. */
function latest<T extends { samples: number }>(pieces: T[]): T[] {
  let samples = 0
  const from = pieces.findLastIndex((piece) => {
    samples += piece.samples
    return samples >= LEVEL_MEMORY_SAMPLES
  })
  return pieces.slice(Math.max(0, from))
}
