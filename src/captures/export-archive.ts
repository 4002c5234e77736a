// Writes files into a zip stream, with at most one chunk of a file in memory. Stored without compression, since audio
// is already compressed; Zip64 beyond 4 GB or 65,535 files.

import { type FileHandle, open } from 'node:fs/promises'
import { makeZip } from 'client-zip'
import { isMissing } from '../lib/missing-file.ts'

export type ArchiveFile = {
  name: string
  modifiedAt: Date
  /** a text, or the absolute path of a file */
  content: { text: string } | { path: string; bytes: number }
}

const CHUNK_BYTES = 256 * 1024

/**
 * Cancelling the stream stops the reading, and so does a read error. Files that were deleted meanwhile are left out.
 */
export function zipOf(files: AsyncGenerator<ArchiveFile>): ReadableStream<Uint8Array> {
  async function* entries() {
    for await (const { name, modifiedAt, content } of files) {
      if ('text' in content) {
        yield { name, lastModified: modifiedAt, input: content.text }
        continue
      }
      const file = await openOrNull(content.path)
      if (file === null) continue
      // A file left open ends a Bun process, so it is closed on every exit from this block.
      try {
        yield { name, lastModified: modifiedAt, size: content.bytes, input: bytesOf(file) }
      } finally {
        await file.close()
      }
    }
  }
  const all = entries()
  // Without `return` and `throw`: the archive would call them when it is cancelled, and drop their errors.
  const reader = makeZip({ [Symbol.asyncIterator]: () => ({ next: () => all.next() }) }).getReader()
  /** Also waits for a file that is being opened. */
  const release = () => all.return()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        await release()
        throw error
      }
    },
    async cancel() {
      await reader.cancel()
      await release()
    },
  })
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
