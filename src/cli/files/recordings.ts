// Finds recordings by content in a folder or at a given path, and builds the form to upload them. Every other file is
// reported, so that nothing is skipped silently.

import type { Stats } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { sniffFile } from '../../audio/sniff.ts'
import { isMissing } from '../../lib/os-errors.ts'
import { type FilePath, fileAt, keyOfPath, pathIn, textOfPath } from './file-path.ts'

/** Problem codes that a retry would not change. */
const HOPELESS = new Set(['unsupported_audio', 'empty_file', 'file_too_large', 'undecodable_audio'])

export const isHopeless = (code: string): boolean => HOPELESS.has(code)

/** `name`: relative to the given folder, or the name of the given file */
export type FoundFile = { path: FilePath; name: string; bytes: number; modifiedMs: number; isNamed: boolean }

export type SkipReason = 'not_a_recording' | 'empty' | 'unreadable' | 'dangling_link' | 'special' | 'hidden'
export type OnSkipped = (path: FilePath, reason: SkipReason) => void

/**
 * Every file at a path, whatever its content; the files of a folder in order of their names. Files that disappear
 * meanwhile are skipped.
 */
async function* filesAt(path: FilePath, onSkipped: OnSkipped): AsyncGenerator<FoundFile> {
  const found = await unlessUnreadable(path, onSkipped, stat(path))
  if (found?.isDirectory()) yield* filesIn({ path, name: '' }, onSkipped, new Set())
  else if (found !== null) {
    const name = basename(textOfPath(path))
    yield { path, name, bytes: found.size, modifiedMs: found.mtimeMs, isNamed: true }
  }
}

type Folder = { path: FilePath; name: string }

/** Keeps the names of one folder at a time in memory. A folder that several links lead to is walked once. */
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

/** Null if a listed file has disappeared. */
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
 * Detects audio by content, as the server does. A file that was named is always sent, so that the server reports what
 * is wrong with it. Null if it cannot be read.
 */
export async function isRecording(file: FoundFile, onSkipped: OnSkipped): Promise<boolean | null> {
  const sniffing = Promise.try(() => ({ found: sniffFile(file.path) }))
  const sniffed = await unlessUnreadable(file.path, onSkipped, sniffing)
  if (sniffed === null) return null
  if (file.isNamed || sniffed.found !== null) return true
  onSkipped(file.path, file.bytes === 0 ? 'empty' : 'not_a_recording')
  return false
}

/** Null if a file or folder has disappeared, or if it may not be read, which is reported. */
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
  const given = new Map(paths.map((path) => [keyOfPath(path), path]))
  for (const path of given.values()) yield* filesAt(path, onSkipped)
}
/**
 * A form that is read from disk while it is sent. A form instead of a bare body, because the server does not store an
 * interrupted form.
 * @param mediaType of a recording whose file name means nothing: then it is sent in place of the name
 */
export function formOf(
  path: FilePath,
  fields: Record<string, string>,
  mediaType?: string,
): { type: string; body: () => ReadableStream } {
  const boundary = `dictation-${crypto.randomUUID()}`
  const disposition = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const head = Object.entries(fields).map(([name, value]) => `${disposition(name)}${value}\r\n`)
  const name = `; filename*=UTF-8''${encodeURIComponent(basename(textOfPath(path)))}`
  const fileHead = disposition('file', mediaType === undefined ? name : `\r\nContent-Type: ${mediaType}`)
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
