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
