// Reads MP4 and QuickTime boxes (ISO/IEC 14496-12): the declared length, and whether the file is encrypted.

import { type ByteSource, fourCc } from './byte-source.ts'

/** Apple's FairPlay and Common Encryption (ISO 23001-7). FFmpeg would decode encrypted samples to noise. */
const PROTECTED_ENTRIES = ['drms', 'enca']
/** The sample index of a real file is not larger than this; a hostile one may be. */
const MAX_INDEX_BYTES = 32 * 1024 ** 2
const MAX_BOXES = 100_000
const SEARCH_BYTES = 64 * 1024
/** Offset from the box name to the name of its first entry: version and flags, a count, the entry's size. */
const ENTRY_NAME_AT = 16
const ENTRY_END = ENTRY_NAME_AT + 4
/** Means that the duration is unknown. */
const UNKNOWN_DURATION = 0xffff_ffff

type Box = { bodyAt: number; end: number }

export function isProtectedMp4(source: ByteSource): boolean {
  const index = boxIn(source, 'moov')
  if (index === null) return false
  const end = Math.min(index.end, index.bodyAt + MAX_INDEX_BYTES)
  for (let at = index.bodyAt; at < end; at += SEARCH_BYTES) {
    const bytes = Buffer.from(source.read(at, SEARCH_BYTES + ENTRY_END))
    for (let found = bytes.indexOf('stsd'); found >= 0; found = bytes.indexOf('stsd', found + 1))
      if (PROTECTED_ENTRIES.includes(fourCc(bytes, found + ENTRY_NAME_AT))) return true
  }
  return false
}

/** The length of the longest track, which may be a video; null if the file does not declare it. */
export function mp4Seconds(source: ByteSource): number | null {
  const index = boxIn(source, 'moov')
  const header = index && boxIn(source, 'mvhd', index.bodyAt, index.end)
  if (!header) return null
  const body = Buffer.from(source.read(header.bodyAt, 32))
  const isLong = body[0] === 1
  const scale = body.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16)
  return duration === UNKNOWN_DURATION ? null : duration / scale
}

/**
 * The first box with this name. A box starts with its size (1: a 64-bit size follows; 0: to the end of the file), then
 * its name.
 */
function boxIn(source: ByteSource, wanted: string, from = 0, to = source.size): Box | null {
  let at = from
  for (let box = 0; box < MAX_BOXES && at + 8 <= to; box++) {
    const head = Buffer.from(source.read(at, 16))
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const headBytes = isLong ? 16 : 8
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short
    const end = size === 0 ? to : Math.min(at + size, to)
    if (fourCc(head, 4) === wanted) return { bodyAt: at + headBytes, end }
    if (end < at + headBytes) return null
    at = end
  }
  return null
}
