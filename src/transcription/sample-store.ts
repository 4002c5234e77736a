// Samples in arrival order, dropped from the front; holds the retained samples and up to one second more.

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
