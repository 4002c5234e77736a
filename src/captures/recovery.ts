// At the start: completes what a crash interrupted, reads into the database what only the captures folder holds
// (everything for a rebuild, and the records of earlier versions), and makes captures of the inbox.

import { existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { capturesIndexedOtherwise } from '../../db/capture-facts.ts'
import {
  buryCaptures,
  capturesWithoutJob,
  countWithoutSegments,
  findDeleted,
  hasUnread,
  type IndexedCapture,
  type KnownCaptures,
  knownCaptures,
  markAudio,
  noteUncopied,
  saveCaptures,
  unerasedCaptures,
} from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { DATA_CORRUPTED, DatabaseError } from '../../db/errors.ts'
import { insertJobs } from '../../db/jobs.ts'
import { findStoreNote, noteFilled, noteStore } from '../../db/store-notes.ts'
import { receptionOf } from '../audio/incoming.ts'
import type { Clock } from '../lib/clock.ts'
import { createDiskReserve } from '../lib/disk-space.ts'
import { syncFile, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/os-errors.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { createPause, inBatches } from '../lib/time-slice.ts'
import { isId, NO_ID, newId } from '../lib/uuid.ts'
import { createDataFolderStore } from '../store/data-folder.ts'
import { type Store, StoreError } from '../store/store.ts'
import { SEARCH_VERSION } from '../text/search-words.ts'
import {
  audioInInbox,
  audioKindOf,
  CAPTURES_FOLDER,
  type FolderListing,
  forgetNote,
  type InboxNote,
  idInInbox,
  listCaptureFiles,
  namesIn,
  readNote,
  removeUnfinished,
  writeNote,
} from './capture-files.ts'
import { factsOf } from './capture-index.ts'
import { type Intake, storeAgain, storeLater } from './create-capture.ts'
import { eraseFiles } from './erase-files.ts'
import { forgetDeletedSince } from './forget-cached.ts'
import { moveIntoStore } from './move-into-store.ts'
import { firstJob } from './new-capture.ts'
import { type RecordsRead, readRecords, UNKNOWN } from './read-records.ts'
import { readRecord } from './record.ts'

export type RecoveryDeps = {
  database: Database
  dataFolder: string
  store: Store
  inboxFolder: string
  clock: Clock
  log: Log
}

export type RecoveryReport = {
  /** files that were being written when the process died */
  unfinishedRemoved: number
  /** captures that were read from their records */
  restored: number
  deletionsFinished: number
  /** audio without a record, or still arriving when the process died; now captures */
  adopted: number
  /** captures that lacked a job */
  requeued: number
  audioMissing: number
  /** captures marked as missing their audio, which exists */
  audioFound: number
}

const BATCH = 200

/** The captures of the database were recorded into another data folder. */
export class WrongFolderError extends Error {}

/**
 * Checks that the folder belongs to this database if an earlier version recorded its captures: their segments and
 * versions are only in the records there. Call it before anything is read from the folder.
 * @throws WrongFolderError
 */
export async function checkFolder({ database, dataFolder }: Pick<RecoveryDeps, 'database' | 'dataFolder'>) {
  if (!(await database.run(hasUnread)) || (await recordsIn(dataFolder)).length > 0) return
  const folder = join(dataFolder, CAPTURES_FOLDER)
  throw new WrongFolderError(
    `The database has captures of an earlier version, and ${folder} has none of their records. Start once with the data folder in which they were recorded (DICTATION_DATA_DIR).`,
  )
}

/**
 * Checks that the recordings of this database are in this store, so that no server misses those of the others.
 * @throws WrongFolderError
 */
export async function checkStore(database: Database, storeId: string | null): Promise<void> {
  const noted = await database.run((orm) => (storeId === null ? findStoreNote(orm) : noteStore(orm, storeId)))
  if ((noted?.storeId ?? null) === storeId) return
  throw new WrongFolderError(
    storeId === null
      ? 'The recordings of the database that DATABASE_URL names are in a shared store. Set DICTATION_STORE as on its other servers.'
      : 'The recordings of the database that DATABASE_URL names are in another store than DICTATION_STORE. Set it as on its other servers.',
  )
}

const recordsIn = async (dataFolder: string): Promise<string[]> =>
  (await listCaptureFiles(createDataFolderStore(dataFolder))).records

/** Runs before any other work on captures; the caller holds the instance lock. */
export async function recoverCaptures(deps: RecoveryDeps): Promise<RecoveryReport> {
  const { database, dataFolder, store, log } = deps
  const unfinishedRemoved = await removeLeftovers(deps)
  const read = store.address === null ? await recoverFolder(deps) : await recoverShared(deps)
  await checkSegments(database)
  const requeued = await giveJobsBack(database)
  await foldAgain(deps)
  await createDiskReserve(dataFolder)
  const report = { unfinishedRemoved, ...read, requeued }
  if (Object.values(report).some((number) => number > 0)) log.info(report, 'recordings recovered')
  return report
}

type Recovered = Omit<RecoveryReport, 'unfinishedRemoved' | 'requeued'>

/** Compares the data folder with the database. */
async function recoverFolder(deps: RecoveryDeps): Promise<Recovered> {
  const { database, store } = deps
  const listing = await listCaptureFiles(store)
  const found = await database.run(knownCaptures)
  const finished = await finishDeletions(deps, listing, found)
  const unread = idsToRead(listing, found)
  const { restored, adopted, deletionsFinished } = await readRecords(deps, unread, listing)
  const known = unread.length === 0 ? found : await database.run(knownCaptures)
  const audio = await compareAudio(deps, listing, known)
  await copyAgain(deps, listing, known)
  return { restored, adopted, deletionsFinished: finished + deletionsFinished, ...audio }
}

/**
 * A shared store is not compared: other servers use it, and listing it takes long. Recordings from a time without it
 * move into it, and a new database fills from it.
 */
async function recoverShared(deps: RecoveryDeps): Promise<Recovered> {
  const moved = await moveFolder(deps)
  const filled = await fillFromStore(deps)
  await forgetDeletedSince(deps)
  return {
    restored: moved.restored + filled.restored,
    adopted: moved.adopted + filled.adopted,
    deletionsFinished: moved.deletionsFinished + filled.deletionsFinished,
    audioMissing: 0,
    audioFound: 0,
  }
}

/** The recordings of the data folder, whether the database knows them or not. */
async function moveFolder(deps: RecoveryDeps): Promise<RecordsRead> {
  const local = createDataFolderStore(deps.dataFolder)
  const listing = await listCaptureFiles(local)
  if (listing.records.length + listing.audio.size === 0) return NONE_READ
  const toRead = idsToRead(listing, await deps.database.run(knownCaptures))
  const read = await readRecords({ ...deps, store: local }, toRead, listing)
  await moveIntoStore(deps, local, listing)
  return read
}

const NONE_READ: RecordsRead = { restored: 0, deletionsFinished: 0, adopted: 0 }

/** A start that was killed is continued by the next. */
async function fillFromStore(deps: RecoveryDeps): Promise<RecordsRead> {
  const { database, store } = deps
  const note = await database.run(findStoreNote)
  if (note?.isFilled === true) return NONE_READ
  const known = await database.run(knownCaptures)
  const listing = await listCaptureFiles(store)
  const read = await readRecords(deps, idsToRead(listing, known), listing)
  await database.run(noteFilled)
  return read
}

async function removeLeftovers({ dataFolder, inboxFolder }: RecoveryDeps): Promise<number> {
  const root = join(dataFolder, CAPTURES_FOLDER)
  const folders = [inboxFolder, ...(await namesIn(root)).map((month) => join(root, month))]
  const removed = await Promise.all(folders.map(removeUnfinished))
  return removed.reduce((sum, number) => sum + number, 0)
}

/** Files that cannot be erased now are retried at the next start, so that this start serves all other recordings. */
async function finishDeletions(
  { database, store, log }: RecoveryDeps,
  { audio }: FolderListing,
  known: KnownCaptures,
): Promise<number> {
  const deleted = await database.run(unerasedCaptures)
  const unerased = new Set(deleted.map(({ id }) => id))
  for (const [id, audioPath] of audio)
    if (known.deleted.has(id) && !unerased.has(id)) {
      const remains = await database.run((orm) => findDeleted(orm, id))
      if (remains !== null) deleted.push({ ...remains, audioPath })
    }
  for (const remains of deleted)
    await eraseFiles({ database, store }, remains).catch((error: unknown) =>
      log.error({ captureId: remains.id, reason: String(error) }, 'could not erase a deleted recording'),
    )
  return deleted.length
}

/** Ids that only the folder knows, and those whose record an earlier version wrote. */
function idsToRead({ records, audio }: FolderListing, known: KnownCaptures): string[] {
  const { withAudio, withoutAudio, deleted, unread } = known
  const isKnown = (id: string) => withAudio.has(id) || withoutAudio.has(id) || deleted.has(id)
  return [...new Set([...unread, ...[...records, ...audio.keys()].filter((id) => !isKnown(id))])].sort()
}

/** Detects lost rows: Postgres reads a page of zeros as a page without rows. */
async function checkSegments(database: Database): Promise<void> {
  if (database.kind === 'external') return
  const lost = await database.run(countWithoutSegments)
  if (lost > 0) throw new DatabaseError(`${lost} captures have lost their segments`, DATA_CORRUPTED)
}

/** Restores lost jobs, for the same reason; a job is as old as its capture. */
async function giveJobsBack(database: Database): Promise<number> {
  const waiting = await database.run(capturesWithoutJob)
  const jobs = waiting.map((capture) => firstJob(capture, capture.createdAt))
  await inBatches(jobs, BATCH, (part) => database.run((orm) => insertJobs(orm, [...part])))
  return jobs.length
}

/** Marks audio that a user removed or restored by hand. */
async function compareAudio(
  { database, store }: RecoveryDeps,
  { audio }: FolderListing,
  { withAudio, withoutAudio }: KnownCaptures,
): Promise<{ audioFound: number; audioMissing: number }> {
  const found = [...withoutAudio].filter((id) => audio.has(id))
  const missing: string[] = []
  for (const id of withAudio)
    if (!audio.has(id) && !(await wasDeleted({ database, store }, id))) missing.push(id)
  const mark = (ids: string[], isThere: boolean) =>
    inBatches(ids, BATCH, (part) => database.run((orm) => markAudio(orm, part, { isThere })))
  await mark(found, true)
  await mark(missing, false)
  return { audioFound: found.length, audioMissing: missing.length }
}

/** A restored older database holds captures that were deleted since; the tombstones name them. */
async function wasDeleted(
  { database, store }: Pick<RecoveryDeps, 'database' | 'store'>,
  id: string,
): Promise<boolean> {
  const record = await readRecord(store, id)
  if (record === null || record === 'unreadable' || record.state === 'kept') return false
  await database.transaction((tx) => buryCaptures(tx, [{ ...record.remains, audioPath: null }]))
  return true
}

/** Writes copies again that were removed. */
async function copyAgain(
  { database }: RecoveryDeps,
  { records }: FolderListing,
  { withAudio, withoutAudio }: KnownCaptures,
): Promise<void> {
  const there = new Set(records)
  const lost = [...withAudio, ...withoutAudio].filter((id) => !there.has(id))
  await inBatches(lost, BATCH, (ids) => database.run((orm) => noteUncopied(orm, ids)))
}

/** Indexes captures again whose texts an earlier version folded differently. */
async function foldAgain({ database, log }: RecoveryDeps): Promise<void> {
  let [count, after] = [0, NO_ID]
  const pause = createPause()
  for (;;) {
    const wanted = { version: SEARCH_VERSION, after, limit: BATCH }
    const rows = await database.run((orm) => capturesIndexedOtherwise(orm, wanted))
    if (rows.length === 0) break
    if (count === 0) log.info({}, 'reindexing captures for search after an update; this happens once')
    const indexed: IndexedCapture[] = []
    for (const capture of rows) {
      indexed.push({ capture, facts: await factsOf(capture) })
      await pause()
    }
    await database.run((orm) => saveCaptures(orm, indexed))
    count += rows.length
    after = rows.at(-1)!.id
  }
  if (count > 0) log.info({ count }, 'captures indexed for search')
}

/**
 * Returns their number. Files too short to recognise as audio are deleted. A file that this process is still writing,
 * for a database that was closed meanwhile, is imported later if its receiver leaves it there.
 */
export async function takeInbox(intake: Intake): Promise<number> {
  const { inboxFolder } = intake
  await moveOldInbox(intake)
  const ids = new Set((await namesIn(inboxFolder)).map(idInInbox).filter((id) => id !== null))
  let taken = 0
  for (const id of ids) {
    const reception = receptionOf(audioInInbox(inboxFolder, id))
    if (reception !== null) void reception.then(() => tryToTake(intake, id))
    else if (await tryToTake(intake, id)) taken++
  }
  // If its old name came back, it would be imported a second time.
  if (ids.size > 0) await syncFolder(inboxFolder)
  return taken
}

/** A file that cannot be imported stays for the next start, and blocks neither this start nor other recordings. */
async function tryToTake(intake: Intake, id: string): Promise<boolean> {
  try {
    return await take(intake, id)
  } catch (error) {
    if (!isMissing(error))
      intake.log.error(
        { id, reason: String(error) },
        'could not import a recording from the inbox; the next start tries again',
      )
    return false
  }
}

async function take(intake: Intake, name: string): Promise<boolean> {
  const { inboxFolder, log } = intake
  const path = audioInInbox(inboxFolder, name)
  const kind = existsSync(path) ? audioKindOf(path) : null
  if (kind === null) {
    await rm(path, { force: true })
    await forgetNote(inboxFolder, name)
    return false
  }
  // The process that wrote it had no time to sync it.
  await syncFile(path)
  const incoming = { path, bytes: (await stat(path)).size, sha256: await sha256Of(path), kind }
  const note = (await readNote(inboxFolder, name)) ?? (await writeNoteWithout(inboxFolder, name))
  const capture = await intake
    .lock(note.id, () => storeAgain(intake, incoming, note))
    .catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error
      storeLater(intake, incoming, note, error)
      return null
    })
  if (capture === null) return false
  log.warn({ captureId: note.id, bytes: incoming.bytes }, 'imported a recording from the inbox')
  return true
}

/** The note of a recording with nothing known but its file. If storing it fails, the next start reads the note. */
async function writeNoteWithout(inboxFolder: string, name: string): Promise<InboxNote> {
  const madeAt = await beginningOf(audioInInbox(inboxFolder, name))
  const id = isId(name) ? name : newId(madeAt)
  const fields = { ...UNKNOWN, refine: null }
  const note = { id, jobId: newId(madeAt), madeAt, fields, isInterrupted: true, isDiscarded: false }
  await writeNote(inboxFolder, note)
  return note
}

/** Start time of the recording. Some file systems do not store it, and a copied file is younger than its content. */
async function beginningOf(path: string): Promise<Date> {
  const { birthtime, mtime } = await stat(path)
  return birthtime.getTime() > 0 && birthtime < mtime ? birthtime : mtime
}

const OLD_FOLDER = 'incoming'
const OLD_SUFFIX = '.live'

/** Earlier versions had the inbox in another folder, without notes. */
async function moveOldInbox({ dataFolder, inboxFolder }: Intake): Promise<void> {
  const folder = join(dataFolder, OLD_FOLDER)
  if (!existsSync(folder)) return
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(OLD_SUFFIX)) continue
    const path = join(folder, name)
    await rename(path, audioInInbox(inboxFolder, newId(await beginningOf(path))))
  }
  await syncFolder(inboxFolder)
  await rm(folder, { recursive: true, force: true })
}
