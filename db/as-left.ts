// How a clean stop left the files of the embedded database: synced, and noted, so that the next start sees whether they are still those.
// Postgres does not: it takes a page of zeros for one that was never used, and a file that was cut off for one that never grew.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { removeDurably, sweepUnfinished, syncFile, writeFileDurably } from '../src/lib/durable.ts'
import { isMissing } from '../src/lib/missing-file.ts'

const NOTE = 'as-left.json'
/** Of no use after a clean stop, and large. */
const JOURNAL = 'pg_wal'

/** By path within the folder. The time only spares reading a file whose content cannot have changed. */
export type AsLeft = Record<string, { bytes: number; modifiedAt: number; hash: string }>

/** Null where the last stop was not a clean one. */
export async function readAsLeft(folder: string): Promise<AsLeft | null> {
  try {
    return JSON.parse(await readFile(join(folder, NOTE), 'utf8')) as AsLeft
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
}

/** The first file that is not as it was left; null where all are. Of a copy, the times are noted as they are now. */
export function changedSince(folder: string, left: AsLeft): string | null {
  for (const [path, file] of Object.entries(left)) {
    const now = statSync(join(folder, path), { throwIfNoEntry: false })
    if (now?.size !== file.bytes) return path
    if (now.mtimeMs !== file.modifiedAt && hashOf(join(folder, path)) !== file.hash) return path
    file.modifiedAt = now.mtimeMs
  }
  return null
}

/** To be called before anything is written; what is noted does not hold from then on. */
export async function forgetAsLeft(folder: string): Promise<void> {
  // A note that was cut off while it was written would count as a file of the database.
  sweepUnfinished(folder, { shared: false })
  await removeDurably(join(folder, NOTE))
}

/** To be called when nothing is written any more. `before` spares reading again what has not changed since. */
export async function noteAsLeft(folder: string, before: AsLeft): Promise<void> {
  const left: AsLeft = {}
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

/** All but the journal's. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => path !== NOTE && !path.startsWith(JOURNAL))
