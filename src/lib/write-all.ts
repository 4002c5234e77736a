import type { FileHandle } from 'node:fs/promises'

/**
 * Writes a whole chunk at the file's current position. The system may accept it in several parts; `onWritten` receives
 * each, so that a caller knows what the file contains if a later part fails.
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
