import { expect, test } from 'bun:test'
import { createPcmStream } from '../../src/audio/pcm-stream.ts'

test('reads a piece within a larger buffer at its own offset', async () => {
  const sent = Int16Array.from({ length: 1000 }, (_, at) => at * 32)
  const bytes = Buffer.from(sent.buffer)
  const emitted: number[] = []
  const pcm = await createPcmStream({ rate: 16_000 }, (samples) => emitted.push(...samples))
  for (let at = 0; at < bytes.length; at += 200) pcm.push(bytes.subarray(at, at + 200))
  pcm.finish()
  expect(emitted).toEqual(Array.from(sent, (sample) => sample / 32_768))
})

test('mixes the channels of samples of any width', async () => {
  const tone = Float32Array.from({ length: 48_000 }, (_, at) => 0.5 * Math.sin(at / 10))
  const frames = Int32Array.from({ length: 2 * tone.length }, (_, at) => tone[at >> 1]! * 2 ** 31)
  const emitted: number[] = []
  const layout = { rate: 16_000, sample: 's32', channels: 2 } as const
  const pcm = await createPcmStream(layout, (samples) => emitted.push(...samples))
  pcm.push(new Uint8Array(frames.buffer))
  pcm.finish()
  expect(emitted.length).toBe(tone.length)
  expect(Math.max(...emitted.map((sample, at) => Math.abs(sample - tone[at]!)))).toBeLessThan(1e-6)
})
