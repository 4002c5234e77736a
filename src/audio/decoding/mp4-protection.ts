// Tells whether the sound of a file of QuickTime's family is encrypted: FFmpeg would decode such samples to noise.
// Reads the names of sample entries alone.

import { type ByteSource, fourCc } from './byte-source.ts'

/** Apple's FairPlay, and Common Encryption (ISO 23001-7). */
const PROTECTED_ENTRIES = ['drms', 'enca']
/** What names the samples of all tracks is at most this large, save in a hostile file. */
const MAX_INDEX_BYTES = 32 * 1024 ** 2
const MAX_BOXES = 100_000
const SEARCH_BYTES = 64 * 1024
/** From the name of the box to that of its first entry: version and flags, a count, the entry's size. */
const ENTRY_NAME_AT = 16
const ENTRY_END = ENTRY_NAME_AT + 4

export function isProtectedMp4(source: ByteSource): boolean {
  const index = findIndex(source)
  if (index === null) return false
  for (let at = index.from; at < index.to; at += SEARCH_BYTES) {
    const bytes = Buffer.from(source.read(at, SEARCH_BYTES + ENTRY_END))
    for (let found = bytes.indexOf('stsd'); found >= 0; found = bytes.indexOf('stsd', found + 1))
      if (PROTECTED_ENTRIES.includes(fourCc(bytes, found + ENTRY_NAME_AT))) return true
  }
  return false
}

/** The range of the box `moov`. */
function findIndex(source: ByteSource): { from: number; to: number } | null {
  let at = 0
  for (let box = 0; box < MAX_BOXES && at + 8 <= source.size; box++) {
    const head = Buffer.from(source.read(at, 16))
    const short = head.readUInt32BE(0)
    const size = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short
    const end = size === 0 ? source.size : Math.min(at + size, source.size)
    if (fourCc(head, 4) === 'moov') return { from: at, to: Math.min(end, at + MAX_INDEX_BYTES) }
    if (end < at + 8) return null
    at = end
  }
  return null
}
