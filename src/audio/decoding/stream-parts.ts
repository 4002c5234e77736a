// Splits files that contain several streams, from recordings that were joined byte by byte, into one part per stream.
// Ogg needs none of this, because it can chain streams itself.

import { type Frame, readFrame } from '../frame-sync.ts'
import { type ByteSource, partOf } from './byte-source.ts'

/** Fewer frames than this with a different signature are damage or coincidence. */
const MIN_FRAMES = 3
const HEADER_BYTES = 8
/** Each part takes a decoder of its own; when the limit is reached, the rest is one part. */
const MAX_PARTS = 500
const SEARCH_BYTES = 64 * 1024

/** MPEG audio, split where its sampling rate, layer or number of channels changes. */
export function* mpegParts(source: ByteSource): Generator<ByteSource> {
  let from = 0
  let current: number | null = null
  let parts = 1
  for (let at = 0; at < source.size && parts < MAX_PARTS; ) {
    const frame = mpegFrame(source, at)
    if (frame === null) {
      at++
      continue
    }
    if (frame.signature !== current) {
      if (!isRun(source, at, frame)) {
        at++
        continue
      }
      if (current !== null) {
        parts++
        yield partOf(source, from, at)
        from = at
      }
      current = frame.signature
    }
    at += frame.bytes
  }
  yield partOf(source, from, source.size)
}

function isRun(source: ByteSource, at: number, first: Frame): boolean {
  let next = at + first.bytes
  for (let frames = 1; frames < MIN_FRAMES; frames++) {
    const frame = mpegFrame(source, next)
    if (frame?.signature !== first.signature) return false
    next += frame.bytes
  }
  return true
}

function mpegFrame(source: ByteSource, at: number): Frame | null {
  const header = source.read(at, HEADER_BYTES)
  const frame = readFrame(header, 0)
  if (frame?.format !== 'mp3') return null
  const isMono = header[3]! >> 6 === 3
  return { ...frame, signature: frame.signature * 2 + (isMono ? 1 : 0) }
}

/** The FLAC signature and the header of the STREAMINFO block (34 bytes) that follows it. */
const FLAC_STARTS = ['fLaC\0\0\0\x22', 'fLaC\x80\0\0\x22'].map((start) => Buffer.from(start, 'latin1'))

/** FLAC, split where another file begins. */
export function* flacParts(source: ByteSource): Generator<ByteSource> {
  let from = 0
  let parts = 1
  for (let at = 1; at < source.size && parts < MAX_PARTS; at += SEARCH_BYTES) {
    const bytes = Buffer.from(source.read(at, SEARCH_BYTES + HEADER_BYTES - 1))
    const starts = FLAC_STARTS.flatMap((start) => allIndexes(bytes, start)).sort((a, b) => a - b)
    for (const start of starts.slice(0, MAX_PARTS - parts)) {
      parts++
      yield partOf(source, from, at + start)
      from = at + start
    }
  }
  yield partOf(source, from, source.size)
}

function allIndexes(bytes: Buffer, wanted: Buffer): number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) found.push(at)
  return found
}
