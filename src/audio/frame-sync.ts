// Finds frames of formats without a file header: MPEG audio, AAC in ADTS or LOAS, AC-3, GSM.
// Reads frame headers only; GSM frames have none and are recognised by their first bits.

export type FrameFormat = 'mp3' | 'aac' | 'loas' | 'ac3'

/** `signature`: the header bits that all frames of a stream share. */
export type Frame = { format: FrameFormat; bytes: number; signature: number }

/** Kbit/s by bitrate index, for [MPEG 1 layer I, II, III] and [MPEG 2 layer I, II and III] (ISO 11172-3, 13818-3). */
const MPEG1_KBITS = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
]
const MPEG2_KBITS = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const MPEG1_RATES = [44_100, 48_000, 32_000]

/**
 * Looks for consecutive frames. At the start of the file two are enough (or a single one that fills the file); further
 * in, where chance could produce them, four.
 */
export function findFrames(
  bytes: Uint8Array,
  { atStart = false }: { atStart?: boolean } = {},
): { format: FrameFormat; at: number } | null {
  const last = atStart ? 0 : bytes.length - MIN_FRAME_BYTES
  for (let at = 0; at <= last; at++) {
    const format = followFrames(bytes, at, at === 0 ? 2 : 4)
    if (format !== null) return { format, at }
  }
  return null
}

function followFrames(bytes: Uint8Array, start: number, wanted: number): FrameFormat | null {
  const first = readFrame(bytes, start)
  if (first === null) return null
  let at = start + first.bytes
  for (let found = 1; found < wanted; found++) {
    if (start === 0 && at === bytes.length) return first.format
    const next = readFrame(bytes, at)
    if (next === null || next.signature !== first.signature) return null
    at += next.bytes
  }
  return first.format
}

const MIN_FRAME_BYTES = 7

/** The frame whose header is at this offset. */
export function readFrame(bytes: Uint8Array, at: number): Frame | null {
  if (at + 6 > bytes.length) return null
  const [first, second] = [bytes[at]!, bytes[at + 1]!]
  if (first === 0x0b && second === 0x77) return readAc3Frame(bytes, at)
  if (first === 0x56 && (second & 0xe0) === 0xe0) return readLoasFrame(bytes, at)
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return readAdtsFrame(bytes, at)
  return (second & 0xe0) === 0xe0 ? readMpegFrame(bytes, at) : null
}

function readMpegFrame(bytes: Uint8Array, at: number): Frame | null {
  const [second, third] = [bytes[at + 1]!, bytes[at + 2]!]
  // 0 is MPEG 2.5, 2 is MPEG 2, 3 is MPEG 1; the layer counts down from 3 = layer I.
  const version = (second >> 3) & 3
  const layer = 4 - ((second >> 1) & 3)
  const kbits = (version === 3 ? MPEG1_KBITS : MPEG2_KBITS)[layer - 1]?.[third >> 4]
  const baseRate = MPEG1_RATES[(third >> 2) & 3]
  if (version === 1 || !kbits || !baseRate) return null
  const rate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const padding = (third >> 1) & 1
  const slots = layer === 3 && version !== 3 ? 72 : 144
  const size =
    layer === 1
      ? (Math.floor((12_000 * kbits) / rate) + padding) * 4
      : Math.floor((slots * 1000 * kbits) / rate) + padding
  return { format: 'mp3', bytes: size, signature: (second & 0xfe) * 256 + (third & 0x0c) }
}

function readAdtsFrame(bytes: Uint8Array, at: number): Frame | null {
  const [second, third, fourth] = [bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
  const size = ((fourth & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
  const rateIndex = (third >> 2) & 15
  if (rateIndex > 12 || size < 7) return null
  return { format: 'aac', bytes: size, signature: (second & 0xfe) * 256 + (third & 0xfc) }
}

/** AudioSyncStream (ISO 14496-3, 1.7.2): a sync word of 11 bits and a length of 13. */
function readLoasFrame(bytes: Uint8Array, at: number): Frame | null {
  const length = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!
  return length < 4 ? null : { format: 'loas', bytes: length + 3, signature: 0x56e0 }
}

/** Kbit/s by frmsizecod / 2 (ATSC A/52, table 5.18). */
const AC3_KBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
const AC3_RATES = [48_000, 44_100, 32_000]

/** AC-3 frames take their length from a table; E-AC-3 frames (bsid 11 to 16) declare it. */
function readAc3Frame(bytes: Uint8Array, at: number): Frame | null {
  const [third, fourth, fifth, sixth] = [bytes[at + 2]!, bytes[at + 3]!, bytes[at + 4]!, bytes[at + 5]!]
  const bsid = sixth >> 3
  if (bsid > 16) return null
  if (bsid > 10) {
    const size = ((((third & 7) << 8) | fourth) + 1) * 2
    return size < MIN_FRAME_BYTES
      ? null
      : { format: 'ac3', bytes: size, signature: (bsid << 8) | (fifth >> 6) }
  }
  const kbits = AC3_KBITS[(fifth & 63) >> 1]
  const rate = AC3_RATES[fifth >> 6]
  if (kbits === undefined || rate === undefined) return null
  const words = Math.floor((kbits * 96_000) / rate) + (rate === 44_100 ? fifth & 1 : 0)
  return { format: 'ac3', bytes: words * 2, signature: (bsid << 8) | (fifth >> 6) }
}

const GSM_FRAME_BYTES = 33
/** A frame is recognised by four bits only, but half a second of frames cannot match by chance. */
const MIN_GSM_FRAMES = 25

/** GSM 06.10 as telephone systems store it: nothing but frames, each beginning with 1101. */
export function isGsm(bytes: Uint8Array): boolean {
  const frames = Math.floor(bytes.length / GSM_FRAME_BYTES)
  if (frames < MIN_GSM_FRAMES) return false
  for (let i = 0; i < frames; i++) if (bytes[i * GSM_FRAME_BYTES]! >> 4 !== 0xd) return false
  return true
}
