// Finds MPEG audio and ADTS AAC frames in bytes that carry no header of their own.
// Reads frame headers only; decodes nothing.

type Frame = { format: 'mp3' | 'aac'; bytes: number; signature: number }

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

/** A stream cut out of a longer one may begin inside a frame; none is longer than this. */
const MAX_FRAME_BYTES = 8192

/**
 * Looks for frames that follow each other. At the very start two are enough (or a single one that fills the
 * file); further in, where chance could fake them, four.
 */
export function findFrames(bytes: Uint8Array): 'mp3' | 'aac' | null {
  const last = Math.min(MAX_FRAME_BYTES, bytes.length - 7)
  for (let at = 0; at <= last; at++) {
    const format = followFrames(bytes, at, at === 0 ? 2 : 4)
    if (format !== null) return format
  }
  return null
}

function followFrames(bytes: Uint8Array, start: number, wanted: number): 'mp3' | 'aac' | null {
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

function readFrame(bytes: Uint8Array, at: number): Frame | null {
  if (at + 6 > bytes.length || bytes[at] !== 0xff) return null
  const second = bytes[at + 1]!
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
