import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { RandomAccess } from './ggml-file.ts'

/** @throws the file system's error when the file cannot be opened or read */
export const openBytes = (path: string): RandomAccess & Disposable => {
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
