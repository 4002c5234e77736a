// Writes a piece of a stream to an open file, all of it.
// Neither opens, syncs nor closes the file.

import type { FileHandle } from 'node:fs/promises'

/** At the file's own position; the system may take a piece in several bites. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done)
    done += bytesWritten
  }
}
