import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSniffer, SNIFF_BYTES } from '../../src/audio/sniff.ts'
import { sniffAudio } from '../support/sniff-audio.ts'
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

describe('recognises a recording by its content', () => {
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

  test('an MP3 with and without a tag', async () => {
    const mp3 = await Bun.file(join(SPEECH_FOLDER, 'formats/mp3-cbr64.mp3')).bytes()
    const tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0]
    const untagged = mp3.subarray(mp3.findIndex((byte, i) => byte === 0xff && (mp3[i + 1]! & 0xe0) === 0xe0))
    expect(formatOf(untagged)).toBe('mp3')
    expect(formatOf(bytesOf(tag, new Uint8Array(128), untagged))).toBe('mp3')
  })

  test('formats of discs, studios and lossless archives', () => {
    const starts: Record<string, Uint8Array> = {
      ape: bytesOf('MAC ', [0x96, 0x0f]),
      musepack: bytesOf('MP+\x07'),
      tak: bytesOf('tBaK'),
      shorten: bytesOf('ajkg\x02'),
      dsf: bytesOf('DSD ', [28, 0, 0, 0]),
      dff: bytesOf('FRM8', [0, 0, 0, 0, 0, 0, 0, 99], 'DSD '),
      dts: bytesOf('DTSHDHDR'),
      truehd: bytesOf([0xf0, 0x40, 0, 0, 0xf8, 0x72, 0x6f, 0xba]),
      mlp: bytesOf([0xf0, 0x40, 0, 0, 0xf8, 0x72, 0x6f, 0xbb]),
      mxf: bytesOf([0x06, 0x0e, 0x2b, 0x34, 0x02, 0x05, 0x01, 0x01]),
      gxf: bytesOf([0, 0, 0, 0, 1, 0xbc]),
      dv: bytesOf([0x1f, 0x07, 0, 0xbf]),
      wtv: bytesOf([0xb7, 0xd8, 0, 0x20, 0x37, 0x49, 0xda, 0x11]),
      qcp: bytesOf('RIFF', [0, 1, 0, 0], 'QLCMfmt '),
      xwma: bytesOf('RIFF', [0, 1, 0, 0], 'XWMAfmt '),
      ilbc: bytesOf('#!iLBC20\n'),
      oma: bytesOf('EA3\x01'),
      '8svx': bytesOf('FORM', [0, 0, 1, 0], '8SVXVHDR'),
      avr: bytesOf('2BIT'),
      pvf: bytesOf('PVF1\n1 8000 16\n'),
      sds: bytesOf([0xf0, 0x7e, 0, 1]),
    }
    for (const [format, start] of Object.entries(starts)) expect(formatOf(padded(start))).toBe(format)
  })

  test('a stream cut from the middle of an MP3', async () => {
    const mp3 = await Bun.file(join(SPEECH_FOLDER, 'formats/mp3-cbr64.mp3')).bytes()
    expect(formatOf(mp3.subarray(5001))).toBe('mp3')
  })

  test('QuickTime files without ftyp, by their first box', () => {
    for (const box of ['moov', 'mdat', 'wide', 'free', 'skip', 'moof'])
      expect(formatOf(padded(bytesOf([0, 0, 1, 0], box)))).toBe('mov')
  })

  test('older containers', () => {
    expect(formatOf(padded(bytesOf('#!AMR\n')))).toBe('amr')
    expect(formatOf(padded(bytesOf([0, 0, 1, 0xba])))).toBe('mpegps')
    expect(formatOf(padded(bytesOf([0, 0, 0, 32], 'ftyp3gp5')))).toBe('3gp')
    expect(formatOf(padded(bytesOf('RF64', [0xff, 0xff, 0xff, 0xff], 'WAVE')))).toBe('wav')
  })
})

const synchsafe = (size: number) => [21, 14, 7, 0].map((shift) => (size >> shift) & 127)
const id3 = (bytes: number) => bytesOf('ID3', [4, 0, 0], synchsafe(bytes), new Uint8Array(bytes).fill(0xff))
const ape = (bytes: number) => {
  const fields = new Uint8Array(new Uint32Array([bytes, 1, 0xa000_0000, 0, 0]).buffer)
  return bytesOf('APETAGEX', [208, 7, 0, 0], fields, new Uint8Array(bytes).fill(0xff))
}

describe('recognises a recording after leading bytes', () => {
  const before: Record<string, Uint8Array> = {
    'an ID3 tag': id3(3000),
    'an ID3 tag larger than the sniffing limit': id3(300_000),
    'two ID3 tags': bytesOf(id3(70_000), id3(90_001)),
    'an ID3 tag and padding outside its size': bytesOf(id3(3000), new Uint8Array(500)),
    'an APE tag': ape(100_000),
    'a thousand zeros': new Uint8Array(1000),
    'bytes of another program': Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 251),
  }
  const files = [
    'wav-s16.wav',
    'flac-48k.flac',
    'ogg-opus.opus',
    'aac-adts.aac',
    'mp3-cbr64.mp3',
    'm4a-aac.m4a',
  ]
  for (const [what, bytes] of Object.entries(before)) {
    test(what, async () => {
      for (const name of files) {
        const file = await Bun.file(join(SPEECH_FOLDER, 'formats', name)).bytes()
        const plain = createSniffer()
        plain.add(file)
        const sniffer = createSniffer()
        const whole = bytesOf(bytes, file)
        for (let at = 0; at < whole.length; at += 1009) sniffer.add(whole.subarray(at, at + 1009))
        const { kind, at } = plain.recognised()!
        expect(sniffer.recognised()).toEqual({ kind, at: bytes.length + at })
      }
    })
  }
})

describe('does not recognise other files', () => {
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
    'two megabytes of ID3 and nothing after it': bytesOf(
      'ID3',
      [4, 0, 0, 0, 0x7f, 0x7f, 0x7f],
      new Uint8Array(2 ** 21),
    ),
  }
  for (const [name, bytes] of Object.entries(others)) {
    test(`rejects ${name}`, () => {
      expect(sniffAudio(bytes)).toBeNull()
    })
  }

  test('rejects 2,000 pieces of noise', () => {
    let state = 1
    const noise = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state >>> 24
    }
    const recognised = Array.from({ length: 2000 }, () => formatOf(Uint8Array.from({ length: 2048 }, noise)))
    expect(recognised.filter((format) => format !== null)).toEqual([])
  })
})
