// Writes a piece of a stream to an open file, all of it.
// Neither opens, syncs nor closes the file.

import type { FileHandle } from 'node:fs/promises'

/**
 * At the file's own position; the system may take a piece in several bites. `onWritten` receives each bite, so that a
 * caller knows what the file holds when a later bite fails.
 */
export async function writeAll(
  file: FileHandle,
  chunk: Uint8Array,
  onWritten: (bite: Uint8Array) => void = () => {},
): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done)
    onWritten(chunk.subarray(done, done + bytesWritten))
    done += bytesWritten
  }
}
