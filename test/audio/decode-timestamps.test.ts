import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { samplesOf } from '../support/flac.ts'
import { compareSound, createTestDecoder, SPEECH_FOLDER } from './decoded.ts'
import { decodeInProcess } from './decoding/in-process.ts'
import { packetsOf, piecesOf, streamed } from './opus-stream/streamed.ts'
import { clusterAt, EBML_HEADER, SEGMENT, simpleBlock, trackOf, tracksOf } from './opus-stream/webm-of.ts'

setDefaultTimeout(180_000)

const RATE = 16_000
const decoder = await createTestDecoder()
afterAll(async () => await decoder[Symbol.asyncDispose]())

const file = (name: string) => join(SPEECH_FOLDER, 'timestamps', name)
const [first, second] = await Promise.all([samplesOf('human-3.flac'), samplesOf('human-6.flac')])

/** Codecs begin up to a tenth of a second early. */
function expectSound(decoded: Float32Array, sound: Float32Array, seconds: number): void {
  expect(compareSound(sound, decoded.subarray(seconds * RATE)).correlation).toBeGreaterThan(0.9)
}

function expectSilence(decoded: Float32Array, from: number, to: number): void {
  const loudest = decoded
    .subarray(from * RATE, to * RATE)
    .reduce((most, one) => Math.max(most, Math.abs(one)), 0)
  expect(loudest).toBeLessThan(0.001)
}

describe('audio that starts late is preceded by silence', () => {
  test.each([
    ['audio-starts-at-5s.mp4', 12],
    ['late.webm', 12],
    ['late-aac.mkv', 12],
    ['late.mpegts', 12],
    ['late-alone.m4a', 8],
    ['late-alone.webm', 8],
  ])('%s', async (name, seconds) => {
    const decoded = await decoder.samplesOf(file(name))
    expect(Math.abs(decoded.length / RATE - seconds)).toBeLessThan(0.1)
    expectSilence(decoded, 0, 4.8)
    expectSound(decoded, first, 5)
  })
})

describe('a hole is filled with silence of its length', () => {
  test.each([
    'gap.m4a',
    'gap-fragmented.mp4',
    'gap.ogg',
    'gap-vorbis.ogg',
    'gap-flac.mka',
    'gap-mp3.mka',
    'gap.wma',
  ])('%s', async (name) => {
    const decoded = await decoder.samplesOf(file(name))
    expect(Math.abs(decoded.length / RATE - 23.3)).toBeLessThan(0.15)
    expectSound(decoded, first, 0)
    expectSilence(decoded, 3.3, 19.7)
    expectSound(decoded, second, 20)
  })

  test('gap-of-17s.webm', async () => {
    const decoded = await decoder.samplesOf(file('gap-of-17s.webm'))
    expect(Math.abs(decoded.length / RATE - 27.12)).toBeLessThan(0.05)
    expectSilence(decoded, 3.3, 19.8)
  })

  test.each(['gap-of-17s.webm', 'gap.ogg', 'late-alone.webm'])(
    '%s decodes to the same audio as a stream',
    async (name) => {
      const bytes = await Bun.file(file(name)).bytes()
      const { samples, code } = await streamed(piecesOf(bytes, 777))
      expect(code).toBe(null)
      expect(samples).toEqual((await decodeInProcess(bytes)) as Float32Array)
    },
  )
})

const live = await Bun.file(join(SPEECH_FOLDER, 'formats/webm-opus-live.webm')).bytes()
const { head, packets } = await packetsOf(live)

/** One cluster per start time, in seconds, each with an equal part of the packets. */
function webmAt(...starts: number[]): Uint8Array {
  const part = Math.ceil(packets.length / starts.length)
  const clusters = starts.map((start, index) => {
    const own = packets.slice(index * part, (index + 1) * part)
    return clusterAt(
      start,
      own.map((packet, at) => simpleBlock(1, packet, at * 20)),
    )
  })
  const tracks = tracksOf(trackOf({ number: 1, type: 2, codec: 'A_OPUS', head }))
  return Buffer.concat([EBML_HEADER, SEGMENT, tracks, ...clusters])
}

const wholeSeconds = ((await decodeInProcess(webmAt(0))) as Float32Array).length / RATE
const partSeconds = wholeSeconds / 2
const DAYS = 10 * 24 * 3600

describe('timestamps that no recorder writes', () => {
  test.each(['ten-days.mp4', 'ten-days.webm'])('rejects %s as too long', async (name) => {
    const decoded = await decoder.decodeFile(file(name))
    expect(decoded).toMatchObject({ ok: false, failure: { code: 'audio_too_long' } })
  })

  test.each([
    ['the second half', [0, DAYS]],
    ['a part in the middle', [0, DAYS, 2]],
  ])('skips a hole of ten days before %s with a warning', async (_, starts) => {
    const bytes = webmAt(...starts)
    const decoded = await decoder.decodeBytes(bytes)
    if (!decoded.ok) throw new Error(decoded.failure.message)
    const { samples, warnings, playsAlike } = decoded.value
    await decoded.value.dispose()
    expect(samples / RATE).toBeCloseTo(wholeSeconds, 0)
    expect({ codes: warnings.map(({ code }) => code), playsAlike }).toEqual({
      codes: ['timestamp_ignored'],
      playsAlike: false,
    })
    const { samples: streamedSamples, code } = await streamed([bytes])
    expect(code).toBe(null)
    expect(streamedSamples.length / RATE).toBeCloseTo(wholeSeconds, 0)
  })

  test('a video frame ten days later adds no silence', async () => {
    const tracks = tracksOf(
      trackOf({ number: 1, type: 2, codec: 'A_OPUS', head }),
      trackOf({ number: 2, type: 1, codec: 'V_VP8' }),
    )
    const sound = packets.map((packet, at) => simpleBlock(1, packet, at * 20))
    const clusters = [clusterAt(0, sound), clusterAt(DAYS, [simpleBlock(2, new Uint8Array(9))])]
    const bytes = Buffer.concat([EBML_HEADER, SEGMENT, tracks, ...clusters])
    const decoded = (await decodeInProcess(bytes)) as Float32Array
    expect(decoded.length / RATE).toBeCloseTo(wholeSeconds, 1)
  })

  test('a stream that the recorder joined after days counts from its own start', async () => {
    const bytes = webmAt(DAYS, DAYS + 10)
    const decoded = (await decodeInProcess(bytes)) as Float32Array
    expect(decoded.length / RATE).toBeCloseTo(10 + partSeconds, 1)
    expect((await streamed([bytes])).samples.length).toBe(decoded.length)
  })

  test('overlapping audio is appended without loss', async () => {
    const decoded = (await decodeInProcess(webmAt(0, 0.3, 0))) as Float32Array
    expect(decoded.length / RATE).toBeCloseTo(wholeSeconds, 1)
  })

  test('many holes together do not exceed the maximum length', async () => {
    const starts = Array.from({ length: 40 }, (_, at) => at * 250)
    const decoded = (await decodeInProcess(webmAt(...starts), 3600)) as Float32Array
    expect(decoded.length / RATE).toBeGreaterThan(3500)
    expect(decoded.length / RATE).toBeLessThan(3600)
    // Holes of a stream are filled up to an hour in total.
    const { samples } = await streamed([webmAt(...starts)])
    expect(samples.length / RATE).toBeLessThan(3610)
  })
})

test('silence in a hole takes no disk space', async () => {
  const path = join(decoder.folder, 'hour.webm')
  await Bun.write(path, webmAt(0, 3500))
  const decoded = await decoder.decodeFile(path)
  if (!decoded.ok) throw new Error(decoded.failure.message)
  const { size, blocks } = await stat(decoded.value.path)
  expect(size).toBe(decoded.value.samples * 4)
  expect(size).toBeGreaterThan(3500 * RATE * 4)
  expect(blocks * 512).toBeLessThan(10_000_000)
  await decoded.value.dispose()
})
