// Tells what a recording is from its first bytes alone; names and declared types are never believed.
// Does not check that the rest of it can be decoded.

import type { AudioKind } from './audio-file.ts'
import { findFrames } from './frame-sync.ts'

/** As much of a file as recognising it may need. */
export const SNIFF_BYTES = 64 * 1024

/** What a person may send, for messages. */
export const ACCEPTED_AUDIO =
  'WAV, MP3, M4A or MP4, WebM or Matroska, Ogg or Opus, FLAC, AAC, AIFF, CAF, AU, AVI, MPEG-TS, WMA or AMR'

const KINDS = {
  wav: { format: 'wav', mediaType: 'audio/wav', extension: 'wav' },
  w64: { format: 'w64', mediaType: 'audio/x-w64', extension: 'w64' },
  avi: { format: 'avi', mediaType: 'video/x-msvideo', extension: 'avi' },
  mp3: { format: 'mp3', mediaType: 'audio/mpeg', extension: 'mp3' },
  aac: { format: 'aac', mediaType: 'audio/aac', extension: 'aac' },
  flac: { format: 'flac', mediaType: 'audio/flac', extension: 'flac' },
  ogg: { format: 'ogg', mediaType: 'audio/ogg', extension: 'ogg' },
  webm: { format: 'webm', mediaType: 'audio/webm', extension: 'webm' },
  matroska: { format: 'matroska', mediaType: 'audio/x-matroska', extension: 'mka' },
  mp4: { format: 'mp4', mediaType: 'audio/mp4', extension: 'm4a' },
  mov: { format: 'mov', mediaType: 'video/quicktime', extension: 'mov' },
  threeGp: { format: '3gp', mediaType: 'audio/3gpp', extension: '3gp' },
  aiff: { format: 'aiff', mediaType: 'audio/aiff', extension: 'aiff' },
  caf: { format: 'caf', mediaType: 'audio/x-caf', extension: 'caf' },
  au: { format: 'au', mediaType: 'audio/basic', extension: 'au' },
  mpegts: { format: 'mpegts', mediaType: 'video/mp2t', extension: 'ts' },
  mpegps: { format: 'mpegps', mediaType: 'video/mpeg', extension: 'mpg' },
  asf: { format: 'asf', mediaType: 'audio/x-ms-wma', extension: 'wma' },
  amr: { format: 'amr', mediaType: 'audio/amr', extension: 'amr' },
  flv: { format: 'flv', mediaType: 'video/x-flv', extension: 'flv' },
  wavpack: { format: 'wavpack', mediaType: 'audio/x-wavpack', extension: 'wv' },
} as const satisfies Record<string, AudioKind>

/** Formats that begin with bytes of their own; the second text, if any, stands at byte 8. */
const SIGNATURES: { start: string; at8?: string; kind: AudioKind }[] = [
  { start: 'RIFF', at8: 'WAVE', kind: KINDS.wav },
  { start: 'RIFX', at8: 'WAVE', kind: KINDS.wav },
  { start: 'RF64', at8: 'WAVE', kind: KINDS.wav },
  { start: 'BW64', at8: 'WAVE', kind: KINDS.wav },
  { start: 'riff\x2e\x91\xcf\x11', kind: KINDS.w64 },
  { start: 'RIFF', at8: 'AVI ', kind: KINDS.avi },
  { start: 'fLaC', kind: KINDS.flac },
  { start: 'OggS\0', kind: KINDS.ogg },
  { start: 'FORM', at8: 'AIFF', kind: KINDS.aiff },
  { start: 'FORM', at8: 'AIFC', kind: KINDS.aiff },
  { start: 'caff\0', kind: KINDS.caf },
  { start: '.snd\0', kind: KINDS.au },
  { start: '\x30\x26\xb2\x75\x8e\x66\xcf\x11', kind: KINDS.asf },
  { start: '#!AMR', kind: KINDS.amr },
  { start: '\0\0\x01\xba', kind: KINDS.mpegps },
  { start: 'FLV\x01', kind: KINDS.flv },
  { start: 'wvpk', kind: KINDS.wavpack },
]

/**
 * Recognises a recording.
 * @param head the first SNIFF_BYTES of it, or all of it when it is shorter
 * @returns null for anything that is not audio or video as recorders write it
 */
export function sniffAudio(head: Uint8Array): AudioKind | null {
  const bytes = head.subarray(0, SNIFF_BYTES)
  return sniffSignature(bytes) ?? sniffMatroska(bytes) ?? sniffMp4(bytes) ?? sniffFrames(bytes)
}

function sniffSignature(bytes: Uint8Array): AudioKind | null {
  const match = ({ start, at8 }: { start: string; at8?: string }) =>
    text(bytes, 0, start.length) === start && (at8 === undefined || text(bytes, 8, 4) === at8)
  return SIGNATURES.find(match)?.kind ?? null
}

function sniffMatroska(bytes: Uint8Array): AudioKind | null {
  if (text(bytes, 0, 4) !== '\x1a\x45\xdf\xa3') return null
  return text(bytes, 4, 60).includes('webm') ? KINDS.webm : KINDS.matroska
}

/** Boxes that stand first in files of QuickTime's family that have no ftyp. */
const FIRST_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'moof', 'styp', 'pnot']

/** Pictures share the container; they carry no sound. */
const PICTURE_BRANDS = ['heic', 'heix', 'heif', 'hevc', 'mif1', 'msf1', 'avif', 'avis', 'crx ', 'jxl ']

function sniffMp4(bytes: Uint8Array): AudioKind | null {
  const box = text(bytes, 4, 4)
  if (box === 'ftyp') {
    const brand = text(bytes, 8, 4)
    if (PICTURE_BRANDS.includes(brand)) return null
    if (brand === 'qt  ') return KINDS.mov
    return /^3g[ep2rs]/.test(brand) ? KINDS.threeGp : KINDS.mp4
  }
  if (!FIRST_BOXES.includes(box)) return null
  // 0 reaches to the end, 1 means a 64-bit size follows.
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return size <= 1 || size >= 8 ? KINDS.mov : null
}

/** Formats without a header: nothing but frames, each saying how long it is. */
function sniffFrames(bytes: Uint8Array): AudioKind | null {
  if (isTransportStream(bytes)) return KINDS.mpegts
  const tag = id3Length(bytes)
  // The tag is larger than what we see (cover art): what follows one is an MP3 in practice.
  if (tag !== null && tag + 4 >= bytes.length) return KINDS.mp3
  if (tag !== null && text(bytes, tag, 4) === 'fLaC') return KINDS.flac
  const frames = findFrames(bytes.subarray(tag ?? 0))
  return frames === null ? null : KINDS[frames]
}

function id3Length(bytes: Uint8Array): number | null {
  if (text(bytes, 0, 3) !== 'ID3' || bytes.length < 10 || bytes[3]! > 4) return null
  const size = bytes.subarray(6, 10)
  if (size.some((byte) => byte > 127)) return null
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0)
}

/** Packets of 188 bytes, or 192 with a time stamp before each (as cameras write). */
function isTransportStream(bytes: Uint8Array): boolean {
  const everyPacketSynced = (first: number, packetBytes: number) => {
    const packets = Math.min(5, Math.floor((bytes.length - first) / packetBytes))
    if (packets < 2) return false
    for (let i = 0; i < packets; i++) if (bytes[first + i * packetBytes] !== 0x47) return false
    return true
  }
  return everyPacketSynced(0, 188) || everyPacketSynced(4, 192)
}

/** One character per byte. */
function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
