// The clips for the live benchmark: recordings that end with their last word.

import { SAMPLE_RATE } from '../../src/engine/engine.ts'
import { samplesOf } from '../../test/support/flac.ts'

export type LiveClip = {
  file: string
  /** 16 bits, 16 kHz; its last sample is the end of speech */
  samples: Int16Array<ArrayBuffer>
}

/** A minute of human and synthetic voices. */
const FILES = [
  ...Array.from({ length: 6 }, (_, index) => `human-${index + 1}.flac`),
  ...Array.from({ length: 8 }, (_, index) => `short-${String(3 * index + 1).padStart(2, '0')}.flac`),
]
const SHORT_FILES = ['human-4.flac', 'short-03.flac']

const BLOCK = SAMPLE_RATE / 50
/** 30 dB below the loudest 20 ms: soft endings are above, breath and room noise below. */
const QUIET = 10 ** (-30 / 20)

const loudness = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

function endOfSpeech(samples: Float32Array): number {
  const blocks = Array.from({ length: Math.floor(samples.length / BLOCK) }, (_, index) =>
    loudness(samples.subarray(index * BLOCK, (index + 1) * BLOCK)),
  )
  const least = Math.max(...blocks) * QUIET
  return (blocks.findLastIndex((block) => block > least) + 1) * BLOCK
}

export const liveClips = (short: boolean): Promise<LiveClip[]> =>
  Promise.all(
    (short ? SHORT_FILES : FILES).map(async (file) => {
      const samples = await samplesOf(file)
      const said = samples.subarray(0, endOfSpeech(samples))
      return { file, samples: Int16Array.from(said, (sample) => Math.round(sample * 32_767)) }
    }),
  )
