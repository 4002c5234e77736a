// Resamples streamed PCM to 16 kHz. The caller validates the pieces.

import { once } from '../lib/once.ts'
import { type PcmLayout, toChannels } from './decoding/sample-formats.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type PcmStream = {
  /** mono, whole samples only */
  push(bytes: Uint8Array): void
  /** emits what the filter still holds and frees its memory; call it however the stream ends */
  finish(): void
}

/** Loaded on first use of another sample rate, so that it does not delay the start. */
const resampling = once(async () => {
  const { createResampler, loadSpeex } = await import('./decoding/resampler.ts')
  const speex = await loadSpeex()
  return (rate: number, emit: (samples: Float32Array) => void) => createResampler(speex, rate, emit)
})

/**
 * @param sample 16 bits, little-endian, by default
 * @param emit receives samples that are only valid during the call
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
