// The recordings of a folder, or one that is named: found as they are walked over, and as the form that the server takes.
// Does not look at what is in them; the server recognises audio by its content.

import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { isMissing } from '../../src/lib/missing-file.ts'

/** What recorders write. Everything else in a folder is left alone without asking the server. */
const EXTENSIONS = new Set(
  'wav wave mp3 m4a m4b mp4 mov aac flac ogg oga opus webm mkv mka aif aiff aifc caf amr 3gp wma au snd'.split(
    ' ',
  ),
)

/** What the server says of some recordings, whenever it is asked. */
const HOPELESS = new Set(['unsupported_audio', 'empty_file', 'file_too_large', 'undecodable_audio'])

export const isHopeless = (code: string): boolean => HOPELESS.has(code)

export type RecordingFile = { path: string; bytes: number; modifiedMs: number }

/** A file that is named is taken for a recording, whatever it is called; of a folder what recordingsIn finds. */
export async function* recordingsAt(
  path: string,
  onUnreadable: (path: string) => void = () => {},
): AsyncGenerator<RecordingFile> {
  const found = await unlessUnreadable(path, onUnreadable, stat(path))
  if (found?.isDirectory()) yield* recordingsIn(path, onUnreadable)
  else if (found !== null) yield { path, bytes: found.size, modifiedMs: found.mtimeMs }
}

/**
 * In the order of names, hidden files and folders left out; holds the names of one folder at a time. What goes away
 * meanwhile is passed over, and so is what may not be read, after it was told.
 */
export async function* recordingsIn(
  folder: string,
  onUnreadable: (path: string) => void = () => {},
): AsyncGenerator<RecordingFile> {
  const entries =
    (await unlessUnreadable(folder, onUnreadable, readdir(folder, { withFileTypes: true }))) ?? []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) yield* recordingsIn(path, onUnreadable)
    else if (entry.isFile() && EXTENSIONS.has(extname(entry.name).slice(1).toLowerCase())) {
      const found = await unlessUnreadable(path, onUnreadable, stat(path))
      if (found !== null) yield { path, bytes: found.size, modifiedMs: found.mtimeMs }
    }
  }
}

/** Null where a file or folder is gone, or may not be read, which is told then. */
export async function unlessUnreadable<T>(
  path: string,
  onUnreadable: (path: string) => void,
  reading: Promise<T>,
): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    if (!isMissing(error)) onUnreadable(path)
    return null
  }
}

/** A form that is read from the disk as it is sent. A form, and not a bare body: what breaks off is not kept. */
export function formOf(
  path: string,
  fields: Record<string, string>,
): { type: string; body: () => ReadableStream } {
  const boundary = `dictation-${crypto.randomUUID()}`
  const disposition = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const head = Object.entries(fields).map(([name, value]) => `${disposition(name)}${value}\r\n`)
  const fileHead = disposition('file', `; filename*=UTF-8''${encodeURIComponent(basename(path))}`)
  async function* bytes() {
    yield Buffer.from(head.join('') + fileHead)
    yield* Bun.file(path).stream()
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: () => streamOf(bytes()),
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream =>
  new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
