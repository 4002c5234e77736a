// Converts streamed PCM to 16 kHz mono. The caller validates the pieces.

import { once } from '../lib/once.ts'
import { createMonoMixer } from './decoding/mono-mixer.ts'
import { type PcmLayout, toChannels } from './decoding/sample-formats.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type PcmStream = {
  /** whole samples of every channel only */
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
 * @param layout little-endian; 16 bits and one channel by default
 * @param emit receives samples that are only valid during the call
 */
export async function createPcmStream(
  { rate, sample = 's16', channels = 1 }: Pick<PcmLayout, 'rate'> & Partial<PcmLayout>,
  emit: (samples: Float32Array) => void,
): Promise<PcmStream> {
  const layout: PcmLayout = { sample, littleEndian: true, rate, channels }
  const resampler = rate === PCM_SAMPLE_RATE ? null : (await resampling())(rate, emit)
  const take = resampler === null ? emit : resampler.push
  const mixer = channels === 1 ? null : createMonoMixer({ channels, rate, decides: 'at once', emit: take })
  return {
    push(bytes) {
      const samples = toChannels(bytes, layout)
      if (mixer === null) take(samples[0]!)
      else mixer.push(samples)
    },
    finish: once(() => {
      mixer?.finish()
      resampler?.finish()
    }),
  }
}
