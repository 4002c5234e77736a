// Samples that come piece by piece, as sockets give them.

import { expect, test } from 'bun:test'
import { createPcmStream } from '../../src/audio/pcm-stream.ts'

test('a piece that lies within a larger buffer is read from where it lies', async () => {
  const sent = Int16Array.from({ length: 1000 }, (_, at) => at * 32)
  const bytes = Buffer.from(sent.buffer)
  const heard: number[] = []
  const pcm = await createPcmStream({ rate: 16_000 }, (samples) => heard.push(...samples))
  for (let at = 0; at < bytes.length; at += 200) pcm.push(bytes.subarray(at, at + 200))
  pcm.finish()
  expect(heard).toEqual(Array.from(sent, (sample) => sample / 32_768))
})
