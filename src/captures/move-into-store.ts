// At the start with a shared store: recordings that are still in the data folder, from a time without the store, move
// into it.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type KnownCaptures, knownCaptures, noteUncopied } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import { type FolderListing, peaksPathOf, recordPathOf } from './capture-files.ts'
import { readRecord, writeRecord } from './record.ts'

type Deps = { database: Database; store: Store; log: Log }

/** As many as a store answers at once without being busy. */
const AT_ONCE = 8
/** How often a long move logs its progress. */
const LOG_EVERY = 1000

/** Each file leaves the data folder after the store has it, so that a crash repeats at most a few of them. */
export async function moveIntoStore(
  deps: Deps,
  local: Store,
  { records, audio }: FolderListing,
): Promise<void> {
  const { database, log } = deps
  const ids = [...new Set([...records, ...audio.keys()])].sort()
  if (ids.length === 0) return
  const known = await database.run(knownCaptures)
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from % LOG_EVERY === 0) log.info({ done: from, of: ids.length }, 'moving recordings into the store')
    const some = ids.slice(from, from + AT_ONCE)
    await Promise.all(some.map((id) => moveCapture(deps, { local, id, audioPath: audio.get(id), known })))
    await database.run((orm) => noteUncopied(orm, some))
    for (const id of some) if (isInDatabase(known, id)) await local.remove(recordPathOf(id))
  }
  log.info({ captures: ids.length }, 'moved the recordings into the store')
}

type Moved = { local: Store; id: string; audioPath: string | undefined; known: KnownCaptures }

async function moveCapture({ store, log }: Deps, { local, id, audioPath, known }: Moved): Promise<void> {
  if (!isInDatabase(known, id))
    return log.error({ captureId: id }, 'a record in the data folder cannot be read; it stays there')
  const record = await readRecord(local, id)
  if (record !== null && record !== 'unreadable' && record.state === 'deleted')
    await writeRecord(store, record)
  if (audioPath === undefined) return
  // The audio of a deleted capture goes.
  if (!known.deleted.has(id)) await store.put(audioPath, join(local.folder, audioPath))
  await local.remove(audioPath)
  await rm(peaksPathOf(local.folder, id), { force: true })
}

const isInDatabase = ({ withAudio, withoutAudio, deleted }: KnownCaptures, id: string): boolean =>
  withAudio.has(id) || withoutAudio.has(id) || deleted.has(id)
