// Writes files into a zip archive as it is read: no more than a piece of one is in memory at a time.
// Nothing is compressed, since recordings are already; beyond 4 GB and 65,535 files it is written as Zip64.

import { type FileHandle, open } from 'node:fs/promises'
import { makeZip } from 'client-zip'
import { isMissing } from '../lib/missing-file.ts'

export type ArchiveFile = {
  name: string
  modifiedAt: Date
  /** a text, or where a file lies on this disk */
  content: { text: string } | { path: string; bytes: number }
}

const CHUNK_BYTES = 256 * 1024

/** Whoever cancels the stream stops the reading, and so does a disk that cannot be read; files that have gone meanwhile are left out. */
export function zipOf(files: AsyncGenerator<ArchiveFile>): ReadableStream<Uint8Array> {
  async function* entries() {
    for await (const { name, modifiedAt, content } of files) {
      if ('text' in content) {
        yield { name, lastModified: modifiedAt, input: content.text }
        continue
      }
      const file = await openOrNull(content.path)
      if (file === null) continue
      // A file that is left open ends a Bun process: whoever leaves here, at whatever moment, closes it.
      try {
        yield { name, lastModified: modifiedAt, size: content.bytes, input: bytesOf(file) }
      } finally {
        await file.close()
      }
    }
  }
  const all = entries()
  // Without `return` and `throw`: the archive would call them when it is cancelled, and nobody would hear what comes of that.
  const reader = makeZip({ [Symbol.asyncIterator]: () => ({ next: () => all.next() }) }).getReader()
  /** Waits for the file that is just being opened. */
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
