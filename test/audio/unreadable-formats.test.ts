import { describe, expect, test } from 'bun:test'
import { describeUnreadable } from '../../src/audio/unreadable-formats.ts'
import { sniffAudio } from '../support/sniff-audio.ts'

const bytesOf = (...parts: (string | number[])[]) => {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')))
  return new Uint8Array(Buffer.concat([bytes, Buffer.alloc(Math.max(0, 4096 - bytes.length), 0xa5)]))
}

const REFUSED: Record<string, [Uint8Array, string]> = {
  PNG: [bytesOf([0x89], 'PNG\r\n\x1a\n'), 'a PNG picture'],
  JPEG: [bytesOf([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF'), 'a JPEG picture'],
  HEIC: [bytesOf([0, 0, 0, 24], 'ftypheic'), 'an HEIC picture'],
  WebP: [bytesOf('RIFF', [0, 1, 0, 0], 'WEBPVP8 '), 'a WebP picture'],
  PDF: [bytesOf('%PDF-1.7\n'), 'a PDF document'],
  Word: [bytesOf('PK\x03\x04', Array(26).fill(0), '[Content_Types].xml'), 'a Microsoft Office document'],
  ZIP: [bytesOf('PK\x03\x04', Array(26).fill(0), 'memo.wav'), 'a ZIP archive. Unpack it'],
  gzip: [bytesOf([0x1f, 0x8b, 8]), 'a compressed file. Unpack it'],
  RAR: [bytesOf('Rar!\x1a\x07\0'), 'a RAR archive. Unpack it'],
  'Audible (AAX)': [bytesOf([0, 0, 0, 24], 'ftypaax '), 'an Audible book, which is encrypted'],
  'Audible (AA)': [bytesOf([0, 0, 0, 24, 0x57, 0x90, 0x75, 0x36]), 'an Audible book, which is encrypted'],
  M4P: [bytesOf([0, 0, 0, 24], 'ftypM4P '), 'a song of the iTunes Store, which is encrypted'],
  'protected WMA': [
    bytesOf(
      [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0, 0xaa, 0, 0x62, 0xce, 0x6c],
      Array(400).fill(1),
      [0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0, 0xa0, 0xc9, 0x55, 0xfc, 0x6e],
    ),
    'a Windows Media recording, which is encrypted',
  ],
  DS2: [bytesOf('\x03ds2'), 'a DS2 dictation (DSS Pro)'],
  'Sony DVF': [bytesOf('MS_VOICE'), 'a Sony voice recording'],
  SILK: [bytesOf('\x02#!SILK_V3'), 'a SILK voice message'],
  OptimFROG: [bytesOf('OFR '), 'an OptimFROG recording'],
  MIDI: [bytesOf('MThd', [0, 0, 0, 6]), 'a MIDI file'],
  'a CD track': [bytesOf('RIFF', [36, 0, 0, 0], 'CDDAfmt '), 'a reference to a track of a CD'],
  playlist: [new TextEncoder().encode('#EXTM3U\n#EXTINF:10,\nmemo.mp3\n'), 'a playlist'],
  captions: [new TextEncoder().encode('1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n'), 'a file of captions'],
  'web page': [new TextEncoder().encode('\n<!DOCTYPE html><html>'), 'a web page'],
  JSON: [new TextEncoder().encode('{"error": "gone"}'), 'a JSON document'],
  text: [new TextEncoder().encode('Grüße aus Köln. '.repeat(300)), 'a text file'],
  program: [bytesOf('\x7fELF'), 'a program'],
}

describe('rejects a file that is not a recording by name, with advice:', () => {
  for (const [name, [bytes, description]] of Object.entries(REFUSED)) {
    test(name, () => {
      expect(sniffAudio(bytes)).toBeNull()
      expect(describeUnreadable(bytes)).toStartWith(`This file is ${description}`)
      expect(describeUnreadable(bytes)).toMatch(/\. [A-Z].*\.$/)
    })
  }

  test('reports zeros as an incomplete copy', () => {
    expect(describeUnreadable(new Uint8Array(4096))).toContain('nothing but zeros')
  })

  test('reports an unknown format, with the formats to convert to', () => {
    expect(describeUnreadable(bytesOf([1, 2, 3, 4]))).toBe(
      'This file is not a recording in a format that can be read. Convert it to WAV, MP3, M4A, FLAC or Ogg and send that.',
    )
  })
})
