// The state in which a clean stop left the files of the embedded database: synced and hashed, so that the next start
// detects changes.
// Postgres does not detect them: it reads a page of zeros as unused, and a truncated file as one that never grew.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { removeDurably, sweepUnfinished, syncFile, writeFileDurably } from '../src/lib/durable.ts'
import { isMissing } from '../src/lib/os-errors.ts'

const NOTE = 'as-left.json'
/** The journal: not needed after a clean stop, and large. */
const JOURNAL = 'pg_wal'

/** By path within the folder. An unchanged time saves reading the file again. */
export type CleanShutdown = Record<string, { bytes: number; modifiedAt: number; hash: string }>

/** Null if the last stop was not clean. */
export async function readCleanShutdown(folder: string): Promise<CleanShutdown | null> {
  try {
    return JSON.parse(await readFile(join(folder, NOTE), 'utf8')) as CleanShutdown
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
}

/** The first file that has changed; null if none has. A copied file has new times, which are stored here. */
export function changedSince(folder: string, left: CleanShutdown): string | null {
  for (const [path, file] of Object.entries(left)) {
    const now = statSync(join(folder, path), { throwIfNoEntry: false })
    if (now?.size !== file.bytes) return path
    if (now.mtimeMs !== file.modifiedAt && hashOf(join(folder, path)) !== file.hash) return path
    file.modifiedAt = now.mtimeMs
  }
  return null
}

/** Call it before anything is written; the note is invalid from then on. */
export async function forgetCleanShutdown(folder: string): Promise<void> {
  // A half-written note would count as a file of the database.
  sweepUnfinished(folder, { shared: false })
  await removeDurably(join(folder, NOTE))
}

/** Call it after the last write. `before` saves reading unchanged files again. */
export async function noteCleanShutdown(folder: string, before: CleanShutdown): Promise<void> {
  const left: CleanShutdown = {}
  for (const path of filesIn(folder)) {
    const whole = join(folder, path)
    const { size: bytes, mtimeMs: modifiedAt } = statSync(whole)
    const known = before[path]
    if (known?.bytes === bytes && known.modifiedAt === modifiedAt) left[path] = known
    else {
      await syncFile(whole)
      left[path] = { bytes, modifiedAt, hash: hashOf(whole) }
    }
  }
  await writeFileDurably(join(folder, NOTE), JSON.stringify(left))
}

const hashOf = (path: string): string => Bun.hash.xxHash3(readFileSync(path)).toString(36)

/** All files except the journal's. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path !== NOTE && !path.startsWith(JOURNAL))
