import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SNIFF_BYTES, sniffAudio } from '../../src/audio/sniff.ts'
import { SPEECH_FOLDER } from './decoded.ts'

const FORMAT_OF_EXTENSION: Record<string, string> = {
  aac: 'aac',
  aiff: 'aiff',
  au: 'au',
  avi: 'avi',
  caf: 'caf',
  flac: 'flac',
  m4a: 'mp4',
  mka: 'matroska',
  mkv: 'matroska',
  mov: 'mov',
  mp2: 'mp3',
  mp3: 'mp3',
  mp4: 'mp4',
  mpegts: 'mpegts',
  oga: 'ogg',
  ogg: 'ogg',
  opus: 'ogg',
  w64: 'w64',
  wav: 'wav',
  webm: 'webm',
  wma: 'asf',
}

const bytesOf = (...parts: (string | number[] | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1'))))
const padded = (bytes: Uint8Array, length = 4096) => bytesOf(bytes, new Uint8Array(length - bytes.length))
const formatOf = (bytes: Uint8Array) => sniffAudio(bytes)?.format ?? null

describe('a recording is recognised by its content', () => {
  for (const folder of ['formats', 'containers', '.']) {
    for (const name of readdirSync(join(SPEECH_FOLDER, folder))) {
      const format = FORMAT_OF_EXTENSION[name.split('.').at(-1)!]
      if (format === undefined) continue
      test(`${name} is ${format}`, async () => {
        const head = await Bun.file(join(SPEECH_FOLDER, folder, name))
          .slice(0, SNIFF_BYTES)
          .bytes()
        expect(formatOf(head)).toBe(format)
      })
    }
  }

  test('an MP3 is recognised behind a tag, behind a tag larger than what is looked at, and without one', async () => {
    const mp3 = await Bun.file(join(SPEECH_FOLDER, 'formats/mp3-cbr64.mp3')).bytes()
    const tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0]
    const untagged = mp3.subarray(mp3.findIndex((byte, i) => byte === 0xff && (mp3[i + 1]! & 0xe0) === 0xe0))
    expect(formatOf(untagged)).toBe('mp3')
    expect(formatOf(bytesOf(tag, new Uint8Array(128), untagged))).toBe('mp3')
    expect(formatOf(bytesOf('ID3', [4, 0, 0, 0, 0x7f, 0, 0], new Uint8Array(SNIFF_BYTES)))).toBe('mp3')
  })

  test('a stream cut out of the middle of an MP3 is recognised', async () => {
    const mp3 = await Bun.file(join(SPEECH_FOLDER, 'formats/mp3-cbr64.mp3')).bytes()
    expect(formatOf(mp3.subarray(5001))).toBe('mp3')
  })

  test('QuickTime files without a type are recognised by their first box', () => {
    for (const box of ['moov', 'mdat', 'wide', 'free', 'skip', 'moof'])
      expect(formatOf(padded(bytesOf([0, 0, 1, 0], box)))).toBe('mov')
  })

  test('older containers are recognised', () => {
    expect(formatOf(padded(bytesOf('#!AMR\n')))).toBe('amr')
    expect(formatOf(padded(bytesOf([0, 0, 1, 0xba])))).toBe('mpegps')
    expect(formatOf(padded(bytesOf([0, 0, 0, 32], 'ftyp3gp5')))).toBe('3gp')
    expect(formatOf(padded(bytesOf('RF64', [0xff, 0xff, 0xff, 0xff], 'WAVE')))).toBe('wav')
  })
})

describe('what is no recording is not recognised', () => {
  const others: Record<string, Uint8Array> = {
    'nothing at all': new Uint8Array(0),
    'a single byte': bytesOf([0xff]),
    zeros: new Uint8Array(4096),
    ones: new Uint8Array(4096).fill(0xff),
    'plain text': bytesOf('Dear Anna, I have not recorded anything. '.repeat(100)),
    'UTF-16 text': bytesOf([0xff, 0xfe], Buffer.from('Dear Anna, nothing here. '.repeat(100), 'utf16le')),
    HTML: bytesOf('<!doctype html><html><body>RIFF WAVE</body></html>'),
    JSON: bytesOf('{"file": "RIFF"}'),
    'a PNG': padded(bytesOf([0x89], 'PNG\r\n\x1a\n')),
    'a JPEG': padded(bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF')),
    'a HEIC photo': padded(bytesOf([0, 0, 0, 24], 'ftypheic')),
    'a WebP picture': padded(bytesOf('RIFF', [0, 1, 0, 0], 'WEBPVP8 ')),
    'a ZIP archive': padded(bytesOf('PK\x03\x04')),
    'a gzip file': padded(bytesOf([0x1f, 0x8b, 8])),
    'a PDF': padded(bytesOf('%PDF-1.7\n')),
    'an ELF program': padded(bytesOf([0x7f], 'ELF')),
    'a playlist': bytesOf('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n'),
    'a concat script': bytesOf("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    'a WAV header cut short': bytesOf('RIFF', [1, 2]),
  }
  for (const [name, bytes] of Object.entries(others)) {
    test(`refuses ${name}`, () => {
      expect(sniffAudio(bytes)).toBeNull()
    })
  }

  test('refuses 2,000 pieces of noise', () => {
    let state = 1
    const noise = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state >>> 24
    }
    const recognised = Array.from({ length: 2000 }, () => formatOf(Uint8Array.from({ length: 2048 }, noise)))
    expect(recognised.filter((format) => format !== null)).toEqual([])
  })
})
