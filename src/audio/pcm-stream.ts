// Samples as a program sends them piece by piece, brought to 16 kHz.
// Files of samples are decoding/'s; what a piece may be is checked by whoever takes it.

import { once } from '../lib/once.ts'
import { toChannels } from './decoding/sample-formats.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export type PcmStream = {
  /** 16-bit little-endian mono; whole samples */
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

/** @param emit receives the samples, which are only valid during the call */
export async function createPcmStream(
  rate: number,
  emit: (samples: Float32Array) => void,
): Promise<PcmStream> {
  const layout = { sample: 's16', littleEndian: true, rate, channels: 1 } as const
  const resampler = rate === PCM_SAMPLE_RATE ? null : (await resampling())(rate, emit)
  const take = resampler === null ? emit : resampler.push
  return {
    push: (bytes) => take(toChannels(bytes, layout)[0]!),
    finish: once(() => resampler?.finish()),
  }
}
