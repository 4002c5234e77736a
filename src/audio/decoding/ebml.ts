// Reads EBML (RFC 8794), the format below Matroska: variable-length integers, element headers, laced sizes; and
// the ids of Matroska's elements.

import type { ByteSource } from './byte-source.ts'

/** An unknown size is returned as 0: such an element is entered, never skipped. */
export type Element = { id: number; size: number; bodyAt: number }

/** @returns null if no element can begin here; the body may extend beyond the end of the file */
export function readElement(source: ByteSource, at: number): Element | null {
  const head = readElementHead(source.read(at, MAX_ELEMENT_HEAD_BYTES))
  return head && { id: head.id, size: head.size, bodyAt: at + head.bytes }
}

export const MAX_ELEMENT_HEAD_BYTES = 12

/** `bytes`: the length of the header. */
export type ElementHead = { id: number; size: number; bytes: number }

/** @returns null if no element begins here, or if its header is incomplete */
export function readElementHead(head: Uint8Array): ElementHead | null {
  const idLength = Math.clz32(head[0] ?? 0) - 23
  if (idLength > 4 || head.length < idLength + 1) return null
  const id = integerOf(head.subarray(0, idLength))
  const size = readVint(head, idLength)
  if (size === null) return null
  return { id, size: size.open ? 0 : size.value, bytes: idLength + size.length }
}

/** An unsigned big-endian integer. */
export const integerOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** A variable-length integer; `open` if all its bits are set, which means "unknown". */
export function readVint(
  bytes: Uint8Array,
  at: number,
): { value: number; length: number; open: boolean } | null {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.length) return null
  const mask = 0xff >> length
  let value = first & mask
  let open = value === mask
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]!
    value = value * 256 + byte
    open &&= byte === 0xff
  }
  return { value, length, open }
}

/**
 * The sizes of the frames that share a block; the last frame takes the rest.
 * @returns null if they do not fit
 */
export function readLacedSizes(
  bytes: Uint8Array,
  at: number,
  lacing: 'none' | 'xiph' | 'fixed' | 'ebml',
): { sizes: number[]; bodyAt: number } | null {
  if (lacing === 'none') return { sizes: [bytes.length - at], bodyAt: at }
  const count = (bytes[at] ?? 0) + 1
  let position = at + 1
  if (lacing === 'fixed') {
    const size = Math.floor((bytes.length - position) / count)
    return { sizes: Array.from({ length: count }, () => size), bodyAt: position }
  }
  const sizes: number[] = []
  while (sizes.length < count - 1) {
    const next =
      lacing === 'xiph' ? readXiphSize(bytes, position) : readEbmlSize(bytes, position, sizes.at(-1))
    if (next === null || next.size < 0) return null
    sizes.push(next.size)
    position = next.at
  }
  const rest = bytes.length - position - sizes.reduce((sum, size) => sum + size, 0)
  return rest < 0 ? null : { sizes: [...sizes, rest], bodyAt: position }
}

function readXiphSize(bytes: Uint8Array, from: number): { size: number; at: number } | null {
  let size = 0
  for (let at = from; at < bytes.length; at++) {
    size += bytes[at]!
    if (bytes[at] !== 255) return { size, at: at + 1 }
  }
  return null
}

/** The first size is absolute, each further one a signed difference to the previous one. */
function readEbmlSize(
  bytes: Uint8Array,
  at: number,
  before: number | undefined,
): { size: number; at: number } | null {
  const vint = readVint(bytes, at)
  if (vint === null) return null
  const size = before === undefined ? vint.value : before + vint.value - (2 ** (7 * vint.length - 1) - 1)
  return { size, at: at + vint.length }
}

export const MATROSKA_ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  codecDelay: 0x56aa,
  flagDefault: 0x88,
  trackName: 0x536e,
  language: 0x22b59c,
  languageTag: 0x22b59d,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  bitDepth: 0x6264,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
} as const

/** Elements that are entered: their children are read as if they were siblings. */
export const OPENED = new Set<number>([
  MATROSKA_ID.segment,
  MATROSKA_ID.info,
  MATROSKA_ID.cluster,
  MATROSKA_ID.tracks,
  MATROSKA_ID.trackEntry,
  MATROSKA_ID.audio,
  MATROSKA_ID.blockGroup,
])

export const TRACK_VIDEO = 1
export const TRACK_AUDIO = 2

/** Nanoseconds per tick if a file does not declare it. */
export const DEFAULT_TIMESTAMP_SCALE = 1_000_000

/** How a block stores its frame sizes, by the two lacing bits of its flags. */
export const LACINGS = ['none', 'xiph', 'fixed', 'ebml'] as const
