import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isInside, readInside } from '../lib/own-files.ts'
import type { RandomAccess } from './ggml-file.ts'

/** @throws the file system's error when the file cannot be opened or read */
export const openBytes = (path: string): RandomAccess & Disposable => {
  if (isInside(path)) return bytesInside(path)
  const handle = openSync(path, 'r')
  return {
    length: fstatSync(handle).size,
    read(at, count) {
      const bytes = new Uint8Array(count)
      return bytes.subarray(0, readSync(handle, bytes, 0, count, at))
    },
    [Symbol.dispose]: () => closeSync(handle),
  }
}

/** A file inside the executable cannot be opened. Copies, because the reader needs aligned arrays. */
function bytesInside(path: string): RandomAccess & Disposable {
  const bytes = readInside(path)
  return {
    length: bytes.length,
    read: (at, count) => new Uint8Array(bytes.subarray(at, at + count)),
    // Frees the memory now; the next collection may be hours away.
    [Symbol.dispose]: () => void bytes.buffer.transfer(0),
  }
}
