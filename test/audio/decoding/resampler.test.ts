import { describe, expect, test } from 'bun:test'
import { createResampler, loadSpeex } from '../../../src/audio/decoding/resampler.ts'

const speex = await loadSpeex()

/** Passes two seconds of a tone through the resampler, in blocks of an odd size. */
function resampleTone(rate: number, hertz: number, blockSamples = 1777): Float32Array {
  const tone = Float32Array.from(
    { length: rate * 2 },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate),
  )
  const blocks: Float32Array[] = []
  const resampler = createResampler(speex, rate, (samples) => blocks.push(samples.slice()))
  for (let at = 0; at < tone.length; at += blockSamples) resampler.push(tone.subarray(at, at + blockSamples))
  resampler.finish()
  return Float32Array.from(blocks.flatMap((block) => [...block]))
}

/** Power in decibels relative to the tone, without the edges, where the tone starts and stops. */
function levelDb(samples: Float32Array): number {
  const middle = samples.subarray(4000, samples.length - 4000)
  const power = middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length
  return 10 * Math.log10(power / 0.125)
}

describe('the resampler', () => {
  for (const rate of [22_050, 44_100, 48_000, 96_000, 192_000]) {
    test(`silences tones above 8.5 kHz by more than 60 dB at ${rate} Hz`, () => {
      for (const hertz of [8500, 9000, 10_500]) expect(levelDb(resampleTone(rate, hertz))).toBeLessThan(-60)
    })
    test(`passes tones up to 7 kHz unchanged at ${rate} Hz`, () => {
      for (const hertz of [100, 1000, 4000, 7000])
        expect(Math.abs(levelDb(resampleTone(rate, hertz)))).toBeLessThan(0.1)
    })
  }

  test('emits the exact number of samples for the duration, whatever the rate and the blocks', () => {
    for (const rate of [4000, 8000, 11_025, 44_100, 47_999, 384_000])
      for (const block of [1, 512, 100_000]) {
        if (block === 1 && rate > 8000) continue
        expect(resampleTone(rate, 440, block).length).toBe(32_000)
      }
  })

  test('neither delays nor changes a tone', () => {
    const resampled = resampleTone(48_000, 440)
    const expected = (i: number) => 0.5 * Math.sin((2 * Math.PI * 440 * i) / 16_000)
    const apart = resampled.subarray(4000, 28_000).map((sample, i) => Math.abs(sample - expected(i + 4000)))
    expect(Math.max(...apart)).toBeLessThan(0.001)
  })
})
