// Recordings whose channels would cancel or drown each other in an average, through every decoder and as streams.

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { samplesOf } from '../support/flac.ts'
import { wavHeader } from '../support/wav.ts'
import { compareSound, createTestDecoder, SPEECH_FOLDER } from './decoded.ts'
import { piecesOf, streamed } from './opus-stream/streamed.ts'

setDefaultTimeout(180_000)

const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

const speech = await samplesOf('human-3.flac')
const channelsFile = (name: string) => join(SPEECH_FOLDER, 'channels', name)

function wavOfChannels(channels: Float32Array[]): Uint8Array {
  const [{ length }] = channels as [Float32Array]
  const pcm = new Int16Array(length * channels.length)
  for (const [channel, samples] of channels.entries())
    for (let i = 0; i < length; i++) pcm[i * channels.length + channel] = Math.round(samples[i]! * 32_767)
  const header = wavHeader({ dataBytes: pcm.byteLength, rate: 16_000, channels: channels.length })
  return Buffer.concat([header, Buffer.from(pcm.buffer)])
}

/** The polarity of the mix does not matter. */
const similarity = (decoded: Float32Array): number =>
  Math.max(
    compareSound(speech, decoded).correlation,
    compareSound(
      speech,
      decoded.map((sample) => -sample),
    ).correlation,
  )

test.each(['inverted.webm', 'inverted.m4a', 'noise-left.webm', 'noise-around.m4a'])(
  'decodes the speech in %s',
  async (name) => {
    expect(similarity(await decoder.samplesOf(channelsFile(name)))).toBeGreaterThan(0.85)
  },
)

test.each(['inverted.webm', 'noise-left.webm'])('decodes the speech in %s as a stream', async (name) => {
  const { samples, code } = await streamed(piecesOf(await Bun.file(channelsFile(name)).bytes(), 1000))
  expect(code).toBe(null)
  expect(similarity(samples)).toBeGreaterThan(0.85)
})

test.each([2, 6, 8])(
  'decodes the speech in a WAV file of %d channels, one of them inverted',
  async (count) => {
    const silence = new Float32Array(speech.length)
    const channels: Float32Array[] = Array.from({ length: count }, () => silence)
    channels[0] = speech
    channels[count - 1] = speech.map((sample) => -sample)
    const decoded = await decoder.decodeBytes(wavOfChannels(channels))
    if (!decoded.ok) throw new Error(decoded.failure.message)
    expect(decoded.value.samples).toBe(speech.length)
    const samples = new Float32Array(await Bun.file(decoded.value.path).arrayBuffer())
    expect(similarity(samples)).toBeGreaterThan(0.99)
  },
)
