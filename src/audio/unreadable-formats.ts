// Recognises files that are not readable recordings, and explains what to send instead.

// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a format is recognised by any bytes

import { latin1 } from './formats.ts'

/** Advice for a recording that must be converted. */
const CONVERT = 'Convert it to WAV, MP3, M4A, FLAC or Ogg and send that.'
const UNPACK = 'Unpack it and send the recordings in it.'
const NO_SOUND = 'There is no sound in it.'
const PROTECTED = 'It cannot be decoded; send a copy without protection.'

/** `name` with its article. */
export type UnreadableFormat = { name: string; advice: string }

const HEAD_BYTES = 2048

/** Matched against the first bytes of a file, one character per byte; the first match wins. */
const FORMATS: readonly (readonly [RegExp, string, string])[] = [
  [/^\x89PNG/, 'a PNG picture', NO_SOUND],
  [/^\xff\xd8\xff/, 'a JPEG picture', NO_SOUND],
  [/^GIF8[79]a/, 'a GIF picture', NO_SOUND],
  [/^RIFF.{4}WEBP/s, 'a WebP picture', NO_SOUND],
  [/^.{4}ftyp(hei[cfx]|hevc|hevx|mif1|msf1)/s, 'an HEIC picture', NO_SOUND],
  [/^.{4}ftyp(avi[fs])/s, 'an AVIF picture', NO_SOUND],
  [/^.{4}ftypcrx /s, 'a raw photo', NO_SOUND],
  [/^(.{4}ftypjxl |\0{3}\x0cJXL |\xff\x0a)/s, 'a JPEG XL picture', NO_SOUND],
  [/^(II\*\0|MM\0\*)/, 'a TIFF picture', NO_SOUND],
  [/^BM.{4}\0{4}/s, 'a BMP picture', NO_SOUND],
  [/^\0\0\x01\0[\x01-\x20]\0/, 'an icon', NO_SOUND],
  [/^8BPS/, 'a Photoshop picture', NO_SOUND],
  [/^\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/s, 'an SVG picture', NO_SOUND],
  [/^%PDF-/, 'a PDF document', NO_SOUND],
  [/^%!PS/, 'a PostScript document', NO_SOUND],
  [/^\{\\rtf/, 'an RTF document', NO_SOUND],
  [/^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/, 'a Microsoft Office document', NO_SOUND],
  [
    /^PK\x03\x04.{26}(\[Content_Types\]\.xml|_rels\/|word\/|xl\/|ppt\/)/s,
    'a Microsoft Office document',
    NO_SOUND,
  ],
  [/^PK\x03\x04.{26}mimetypeapplication\/epub/s, 'an e-book', NO_SOUND],
  [/^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis/s, 'an OpenDocument file', NO_SOUND],
  [/^PK(\x03\x04|\x05\x06|\x07\x08)/, 'a ZIP archive', UNPACK],
  [/^(\x1f\x8b|BZh[1-9]|\xfd7zXZ\0|\x28\xb5\x2f\xfd)/, 'a compressed file', UNPACK],
  [/^7z\xbc\xaf\x27\x1c/, 'a 7z archive', UNPACK],
  [/^Rar!\x1a\x07/, 'a RAR archive', UNPACK],
  [/^.{257}ustar/s, 'a TAR archive', UNPACK],
  [/^.{4}ftyp(aax |aaxc)/s, 'an Audible book, which is encrypted', PROTECTED],
  [/^.{4}\x57\x90\x75\x36/s, 'an Audible book, which is encrypted', PROTECTED],
  [/^.{4}ftypM4P /s, 'a song of the iTunes Store, which is encrypted', PROTECTED],
  [
    /^[\x01\x03-\x07]ds2/,
    'a DS2 dictation (DSS Pro), for which there is no free decoder',
    'Export it as WAV in the program of the recorder and send that.',
  ],
  [
    /^MS_VOICE/,
    'a Sony voice recording (DVF or MSV), which only Sony’s programs can decode',
    'Export it as WAV or MP3 in the program of the recorder and send that.',
  ],
  [/^\x02?#!SILK/, 'a SILK voice message, which cannot be decoded here', CONVERT],
  [/^ADIF/, 'AAC in ADIF, which cannot be decoded here', CONVERT],
  [/^OFR /, 'an OptimFROG recording, which cannot be decoded here', CONVERT],
  [/^TTA2/, 'a TTA2 recording, which cannot be decoded here', CONVERT],
  [/^qoaf/, 'a QOA recording, which cannot be decoded here', CONVERT],
  [/^OSQ /, 'an OSQ recording, which cannot be decoded here', CONVERT],
  [/^LA0[234]/, 'a Lossless Audio recording, which cannot be decoded here', CONVERT],
  [/^\x1c\xcc/, 'an LC3 recording, which cannot be decoded here', CONVERT],
  [
    /^RIFF.{4}CDDA/s,
    'a reference to a track of a CD',
    'Copy the track from the CD as WAV or FLAC and send that.',
  ],
  [/^(MThd|RIFF.{4}RMID)/s, 'a MIDI file', 'It holds notes, not sound.'],
  [
    /^(Extended Module: |IMPM|.{44}SCRM|.{1080}(M\.K\.|M!K!|FLT4|8CHN))/s,
    'a tracker module',
    'It holds notes; render it to WAV and send that.',
  ],
  [/^(MZ|\x7fELF|\xcf\xfa\xed\xfe|\xca\xfe\xba\xbe)/, 'a program', NO_SOUND],
  [/^SQLite format 3\0/, 'a database', NO_SOUND],
  [
    /^(\xef\xbb\xbf)?(#EXTM3U|ffconcat|\[playlist\]|<\?wpl|<asx)/i,
    'a playlist',
    'Send the recordings that it names.',
  ],
  [/^(\xef\xbb\xbf)?(WEBVTT|(\d+\s+)?\d\d:\d\d:\d\d[.,]\d{3} --> )/, 'a file of captions', NO_SOUND],
  [
    /^\s*<(!doctype html|html|head|body)/i,
    'a web page',
    'A download may have failed; send the recording itself.',
  ],
  [/^\s*[[{]["{[\d\s\]}]/, 'a JSON document', NO_SOUND],
]

/** GUIDs in an ASF header: Content Encryption and Extended Content Encryption. */
const ASF_ENCRYPTION = [
  '\xfb\xb3\x11\x22\x23\xbd\xd2\x11\xb4\xb7\0\xa0\xc9\x55\xfc\x6e',
  '\x14\xe6\x8a\x29\x22\x26\x17\x4c\xb9\x35\xda\xe0\x7e\xe9\x28\x9c',
]
const ASF = '\x30\x26\xb2\x75\x8e\x66\xcf\x11'

/** Null if the format is unknown or readable. */
export function unreadableFormat(bytes: Uint8Array): UnreadableFormat | null {
  const start = latin1(bytes.subarray(0, HEAD_BYTES))
  const found = FORMATS.find(([pattern]) => pattern.test(start))
  if (found) return { name: found[1], advice: found[2] }
  return isEncryptedAsf(bytes)
    ? { name: 'a Windows Media recording, which is encrypted', advice: PROTECTED }
    : null
}

/** Why the file is rejected, as a sentence for the user. */
export function describeUnreadable(head: Uint8Array): string {
  if (head.every((byte) => byte === 0))
    return 'The file begins with nothing but zeros; it was probably not copied completely. Copy it again and send that.'
  const format = unreadableFormat(head) ?? (looksLikeText(head) ? TEXT : null)
  if (format === null) return `This file is not a recording in a format that can be read. ${CONVERT}`
  return `This file is ${format.name}. ${format.advice}`
}

function isEncryptedAsf(bytes: Uint8Array): boolean {
  if (latin1(bytes.subarray(0, ASF.length)) !== ASF) return false
  const head = latin1(bytes)
  return ASF_ENCRYPTION.some((guid) => head.includes(guid))
}

const TEXT: UnreadableFormat = { name: 'a text file', advice: NO_SOUND }

/** Whether the bytes are text in UTF-8 or UTF-16. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, HEAD_BYTES)
  if (start.length === 0) return false
  const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff)
  if (isUtf16) return true
  if (start.some((byte) => byte < 32 && !TEXT_CONTROLS.has(byte))) return false
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([9, 10, 12, 13, 27])
