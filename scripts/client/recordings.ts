// The recordings of a folder, or one that is named: found as they are walked over, by their content, and as the form
// that the server takes. Whatever else is there is told, so that nothing is left out silently.

import type { Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sniffFile } from '../../src/audio/sniff-file.ts'
import { isMissing } from '../../src/lib/missing-file.ts'
import { type FilePath, fileAt, keyOf, pathIn, textOf } from './file-path.ts'

/** What the server says of some recordings, whenever it is asked. */
const HOPELESS = new Set(['unsupported_audio', 'empty_file', 'file_too_large', 'undecodable_audio'])

export const isHopeless = (code: string): boolean => HOPELESS.has(code)

/** `name`: below the folder that was given, or of the file that was */
export type FoundFile = { path: FilePath; name: string; bytes: number; modifiedMs: number; isNamed: boolean }

export type SkipReason = 'not_a_recording' | 'empty' | 'unreadable' | 'dangling_link' | 'special' | 'hidden'
export type OnSkipped = (path: FilePath, reason: SkipReason) => void

/** Every file at a path, whatever is in it; a folder's in the order of their names. What goes away meanwhile is passed over. */
export async function* filesAt(path: FilePath, onSkipped: OnSkipped): AsyncGenerator<FoundFile> {
  const found = await unlessUnreadable(path, onSkipped, stat(path))
  if (found?.isDirectory()) yield* filesIn({ path, name: '' }, onSkipped, new Set())
  else if (found !== null) {
    const name = basename(textOf(path))
    yield { path, name, bytes: found.size, modifiedMs: found.mtimeMs, isNamed: true }
  }
}

type Folder = { path: FilePath; name: string }

/** Holds the names of one folder at a time. A folder that links lead to more than once is walked once. */
async function* filesIn(
  folder: Folder,
  onSkipped: OnSkipped,
  walked: Set<string>,
): AsyncGenerator<FoundFile> {
  const self = await unlessUnreadable(folder.path, onSkipped, stat(folder.path, { bigint: true }))
  if (self === null || walked.has(`${self.dev} ${self.ino}`)) return
  walked.add(`${self.dev} ${self.ino}`)
  const names = await unlessUnreadable(
    folder.path,
    onSkipped,
    readdir(folder.path, { encoding: 'buffer' }) as Promise<Buffer[]>,
  )
  for (const bytes of names?.toSorted(Buffer.compare) ?? []) {
    const path = pathIn(folder.path, bytes)
    const name = folder.name === '' ? bytes.toString() : `${folder.name}/${bytes.toString()}`
    if (bytes.toString().startsWith('.')) {
      onSkipped(path, 'hidden')
      continue
    }
    const found = await lookAt(path)
    if (typeof found === 'string') onSkipped(path, found)
    else if (found?.isDirectory()) yield* filesIn({ path, name }, onSkipped, walked)
    else if (found?.isFile())
      yield { path, name, bytes: found.size, modifiedMs: found.mtimeMs, isNamed: false }
    else if (found !== null) onSkipped(path, 'special')
  }
}

/** Null where what was listed has gone meanwhile. */
async function lookAt(path: FilePath): Promise<Stats | SkipReason | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (!isMissing(error) && !isLoop(error)) return 'unreadable'
    return (await lstat(path).catch(() => null)) === null ? null : 'dangling_link'
  }
}

const isLoop = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ELOOP'

/**
 * By its content, as the server tells; one that is named is left to the server, which says what it is. Null where it
 * cannot be read.
 */
export async function isRecording(file: FoundFile, onSkipped: OnSkipped): Promise<boolean | null> {
  const sniffing = Promise.try(() => ({ found: sniffFile(file.path) }))
  const sniffed = await unlessUnreadable(file.path, onSkipped, sniffing)
  if (sniffed === null) return null
  if (file.isNamed || sniffed.found !== null) return true
  onSkipped(file.path, file.bytes === 0 ? 'empty' : 'not_a_recording')
  return false
}

/** Null where a file or folder is gone, or may not be read, which is told then. */
export async function unlessUnreadable<T>(
  path: FilePath,
  onSkipped: OnSkipped,
  reading: Promise<T>,
): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    if (!isMissing(error)) onSkipped(path, 'unreadable')
    return null
  }
}

/** Each of several paths once. */
export async function* filesAtAll(paths: FilePath[], onSkipped: OnSkipped): AsyncGenerator<FoundFile> {
  const given = new Map(paths.map((path) => [keyOf(path), path]))
  for (const path of given.values()) yield* filesAt(path, onSkipped)
}
/** A form that is read from the disk as it is sent. A form, and not a bare body: what breaks off is not kept. */
export function formOf(
  path: FilePath,
  fields: Record<string, string>,
): { type: string; body: () => ReadableStream } {
  const boundary = `dictation-${crypto.randomUUID()}`
  const disposition = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const head = Object.entries(fields).map(([name, value]) => `${disposition(name)}${value}\r\n`)
  const fileHead = disposition('file', `; filename*=UTF-8''${encodeURIComponent(basename(textOf(path)))}`)
  async function* bytes() {
    yield Buffer.from(head.join('') + fileHead)
    yield* fileAt(path).stream()
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
