import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DecodeError } from '../../../src/audio/decoding/decode-error.ts'
import { compareSound, SPEECH_FOLDER } from '../decoded.ts'
import { decodeInProcess } from './in-process.ts'

for (const name of ['ogg-opus.opus', 'ogg-vorbis.ogg', 'webm-opus-live.webm', 'mp3-cbr64.mp3']) {
  test(`decodes both recordings of a file with ${name} twice`, async () => {
    const once = await Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
    const decoded = await decodeInProcess(new Uint8Array(Buffer.concat([once, once])))
    // A join costs at most what an encoder adds at either end.
    expect(Math.abs(decoded.length - 2 * 52_640)).toBeLessThan(16_000 * 0.16)
  })
}

const speech = (name: string) => Bun.file(join(SPEECH_FOLDER, name)).bytes()
const samplesOf = async (...names: string[]) => {
  const samples = await decodeInProcess(new Uint8Array(Buffer.concat(await Promise.all(names.map(speech)))))
  if (typeof samples === 'string') throw new Error(samples)
  return samples
}

test('keeps what was decoded before an unknown codec if the second decoder fails for good', async () => {
  const once = await speech('formats/webm-opus.webm')
  const joined = Buffer.concat([once, await speech('tracks/three.mkv')])
  const decoded = await decodeInProcess(joined, 600, () => {
    throw new DecodeError('disk_full', 'The disk is full.')
  })
  expect(decoded.length).toBe((await decodeInProcess(once)).length)
})

describe('decodes recordings of different rates and channels in one file', () => {
  const pairs = [
    ['formats/mp3-cbr64.mp3', 'formats/mp3-vbr.mp3'],
    ['formats/mp3-vbr.mp3', 'containers/mp2.mp2'],
    ['human-6.flac', 'formats/flac-48k.flac'],
    ['formats/wav-44k1.wav', 'formats/wav-48k-stereo.wav'],
    ['formats/ogg-vorbis.ogg', 'formats/ogg-opus.opus'],
    ['containers/flac-in.oga', 'formats/ogg-opus.opus'],
    ['formats/mkv-vorbis.mkv', 'formats/webm-opus.webm'],
  ]
  for (const [first, second] of pairs as [string, string][]) {
    test(`${first}, then ${second}, and the other way round`, async () => {
      for (const names of [
        [first, second],
        [second, first],
      ] as [string, string][]) {
        const apart = [await samplesOf(names[0]), await samplesOf(names[1])] as const
        const joined = await samplesOf(...names)
        expect(Math.abs(joined.length - apart[0].length - apart[1].length)).toBeLessThan(320)
        const behind = joined.subarray(joined.length - apart[1].length)
        expect(compareSound(apart[0], joined.subarray(0, apart[0].length)).correlation).toBeGreaterThan(0.99)
        expect(compareSound(apart[1], behind).correlation).toBeGreaterThan(0.99)
      }
    })
  }

  test('loses nothing where an MP3 changes from 16,000 Hz to 44,100 Hz', async () => {
    const joined = await samplesOf('rare/16-then-44.mp3')
    const apart = [await samplesOf('human-3.flac'), await samplesOf('human-2.flac')] as const
    expect(Math.abs(joined.length - apart[0].length - apart[1].length)).toBeLessThan(1600)
    expect(
      compareSound(apart[1], joined.subarray(joined.length - apart[1].length)).correlation,
    ).toBeGreaterThan(0.97)
  })
})

describe('a WAV with an incorrect size', () => {
  const wav = async () => Buffer.from(await speech('formats/wav-s16.wav'))
  const sizeAt = (bytes: Buffer) => bytes.indexOf('data') + 4

  test('is decoded to its end if its recorder was killed before it updated the size', async () => {
    const bytes = await wav()
    bytes.writeUInt32LE(8000, sizeAt(bytes))
    expect((await decodeInProcess(bytes)).length).toBe(52_640)
  })

  test('is decoded to its end even if silence follows the declared end', async () => {
    const bytes = await wav()
    bytes.writeUInt32LE(8000, sizeAt(bytes))
    bytes.fill(0, sizeAt(bytes) + 4 + 8000, sizeAt(bytes) + 4 + 9000)
    expect((await decodeInProcess(bytes)).length).toBe(52_640)
  })

  test.each([
    ['zeros', Buffer.alloc(3000)],
    ['an ID3 tag', Buffer.from('ID3\x03\0\0\0\0\x0f\x76title and artist'.padEnd(2000, '\0'), 'latin1')],
    ['an old ID3 tag', Buffer.from(`TAG${'\0'.repeat(124)}\x0c`, 'latin1')],
    ['zeros and a chunk', Buffer.concat([Buffer.alloc(512), Buffer.from('LIST\x04\0\0\0INFO', 'latin1')])],
  ])('is decoded to the end of its samples if %s follow', async (_, tail) => {
    const bytes = await wav()
    const end = sizeAt(bytes) + 4 + bytes.readUInt32LE(sizeAt(bytes))
    expect((await decodeInProcess(Buffer.concat([bytes.subarray(0, end), tail]))).length).toBe(52_640)
  })
})
