// Synchronous random access to a file's bytes with constant memory. Decoders run in a process of their own, so they may
// block.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const WINDOW_BYTES = 256 * 1024

export type ByteSource = {
  size: number
  /** up to `length` bytes from `at`, fewer at the end of the file; only valid until the next call */
  read(at: number, length: number): Uint8Array
  close(): void
}

/** @param from offset in the file that becomes offset 0 of the source */
export function openByteSource(path: string, from = 0): ByteSource {
  const file = openSync(path, 'r')
  const size = Math.max(0, fstatSync(file).size - from)
  let window = new Uint8Array(WINDOW_BYTES)
  let windowAt = 0
  let windowLength = 0

  function load(at: number, length: number): void {
    if (length > window.length) window = new Uint8Array(length)
    windowAt = at
    windowLength = 0
    while (windowLength < window.length) {
      const got = readSync(file, window, windowLength, window.length - windowLength, from + at + windowLength)
      if (got === 0) break
      windowLength += got
    }
  }

  return {
    size,
    read(at, length) {
      const available = Math.max(0, Math.min(length, size - at))
      if (available === 0) return window.subarray(0, 0)
      if (at < windowAt || at + available > windowAt + windowLength) load(at, available)
      return window.subarray(at - windowAt, Math.min(at - windowAt + available, windowLength))
    },
    close: () => closeSync(file),
  }
}

/** A range of a source as its own source; closing it does nothing. */
export const partOf = (source: ByteSource, from: number, to: number): ByteSource => ({
  size: to - from,
  read: (at, length) => source.read(from + at, Math.min(length, to - from - at)),
  close() {},
})

/** The whole source in chunks, each only valid until the next. */
export function* chunksOf(source: ByteSource, chunkBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < source.size; at += chunkBytes) yield source.read(at, chunkBytes)
}

const SEARCH_BYTES = 64 * 1024

/** The next offset of `wanted`, or the size of the source. */
export function findBytes(source: ByteSource, wanted: Buffer, from: number): number {
  for (let at = from; at < source.size; at += SEARCH_BYTES) {
    const found = Buffer.from(source.read(at, SEARCH_BYTES + wanted.length - 1)).indexOf(wanted)
    if (found >= 0) return at + found
  }
  return source.size
}

/** A four-character code, as containers name their parts. */
export function fourCc(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}
