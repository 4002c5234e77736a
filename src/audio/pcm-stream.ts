// Samples as a program sends them piece by piece, brought to 16 kHz.
// Files of samples are decoding/'s; what a piece may be is checked by whoever takes it.

import { once } from '../lib/once.ts'
import { type PcmLayout, toChannels } from './decoding/sample-formats.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type PcmStream = {
  /** mono, in whole samples */
  push(bytes: Uint8Array): void
  /** gives what the filter still holds, and its memory back: to be called however a stream ends */
  finish(): void
}

/** Loaded when somebody sends another rate: no start waits for it. */
const resampling = once(async () => {
  const { createResampler, loadSpeex } = await import('./decoding/resampler.ts')
  const speex = await loadSpeex()
  return (rate: number, emit: (samples: Float32Array) => void) => createResampler(speex, rate, emit)
})

/**
 * @param sample 16 bits, little-endian, unless given
 * @param emit receives the samples, which are only valid during the call
 */
export async function createPcmStream(
  { rate, sample = 's16' }: { rate: number; sample?: PcmLayout['sample'] },
  emit: (samples: Float32Array) => void,
): Promise<PcmStream> {
  const layout: PcmLayout = { sample, littleEndian: true, rate, channels: 1 }
  const resampler = rate === PCM_SAMPLE_RATE ? null : (await resampling())(rate, emit)
  const take = resampler === null ? emit : resampler.push
  return {
    push: (bytes) => take(toChannels(bytes, layout)[0]!),
    finish: once(() => resampler?.finish()),
  }
}
