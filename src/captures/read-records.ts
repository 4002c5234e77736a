// Reads records of the captures folder into the database, and creates captures for audio without a record. A record
// overrides the rows in the database.

import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteVersions, insertVersions } from '../../db/capture-versions.ts'
import {
  buryCaptures,
  findCapture,
  type IndexedCapture,
  noteCopied,
  saveCaptures,
} from '../../db/captures.ts'
import { wantIn } from '../../db/damage.ts'
import type { Database, Orm } from '../../db/database.ts'
import { endJob, findUnfinishedJob, insertJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { DatabaseUnavailableError } from '../lib/database-errors.ts'
import type { Log } from '../lib/log.ts'
import { nextTurn } from '../lib/time-slice.ts'
import { timeOfId } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'
import type { Capture } from './capture.ts'
import {
  audioKindOf,
  type FolderListing,
  readNote,
  recordPathOf,
  segmentsPathOf,
  unreadablePathOf,
} from './capture-files.ts'
import { toRow } from './capture-index.ts'

import { versionRow } from './change-capture.ts'
import { recordedJobOf } from './copies.ts'
import { eraseFiles } from './erase-files.ts'
import { type CaptureFields, firstJob, jobOf, newbornOf, newCapture } from './new-capture.ts'
import {
  type CaptureRecord,
  newestParts,
  newRecord,
  type RecordRead,
  readRecord,
  SLOTS,
  type Tombstone,
} from './record.ts'

type Deps = { database: Database; store: Store; inboxFolder: string; clock: Clock; log: Log }

export type RecordsRead = { restored: number; deletionsFinished: number; adopted: number }

/** The options of a recording without a request. */
export const UNKNOWN: Omit<CaptureFields, 'refine'> = {
  source: 'recording',
  language: null,
  sttModel: null,
  fileName: null,
  title: null,
  writingStyleId: null,
  appName: null,
  appId: null,
  appUrl: null,
  windowTitle: null,
}

/** Records per transaction: a crash repeats no more than this. */
const AT_ONCE = 50
/** How often a long rebuild logs its progress. */
const LOG_EVERY = 1000

export async function readRecords(
  deps: Deps,
  ids: readonly string[],
  { audio }: FolderListing,
): Promise<RecordsRead> {
  const report: RecordsRead = { restored: 0, deletionsFinished: 0, adopted: 0 }
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    if (from > 0 && from % LOG_EVERY === 0)
      deps.log.info({ done: from, of: ids.length }, 'reading capture records')
    const kept: Reading[] = []
    for (const id of ids.slice(from, from + AT_ONCE)) {
      const record = await tryToRead(deps, id)
      if (record === 'failed') continue
      if (record !== null && record !== 'unreadable') {
        if (record.state === 'kept') kept.push({ record, isNew: false })
        else if (await readTombstone(deps, record, audio)) report.deletionsFinished++
        continue
      }
      const found = await withoutRecord(deps, id, { audioPath: audio.get(id), isSpoiled: record !== null })
      if (found !== null) kept.push(found)
    }
    for (const { isNew } of await save(deps, kept)) report[isNew ? 'adopted' : 'restored']++
    await nextTurn()
  }
  return report
}

/** A record that the disk cannot read is left for the next start, so that this start serves all other recordings. */
async function tryToRead({ store, log }: Deps, id: string): Promise<RecordRead | 'failed'> {
  try {
    return await readRecord(store, id)
  } catch (error) {
    log.error(
      { captureId: id, reason: String(error) },
      'could not read a record from the disk; the next start tries again',
    )
    return 'failed'
  }
}

type Reading = { record: CaptureRecord; isNew: boolean }

async function save(deps: Deps, readings: Reading[]): Promise<Reading[]> {
  try {
    await deps.database.transaction((tx) => saveRecords(tx, readings, deps.clock()))
    return readings
  } catch (error) {
    // A shortage of the machine is no fault of the record, and skipped records would be missing.
    if (error instanceof DatabaseUnavailableError || wantIn(error) !== null || readings.length === 0)
      throw error
    const [only, ...others] = readings
    if (only !== undefined && others.length === 0) {
      const { id } = only.record.capture
      deps.log.error({ captureId: id, reason: String(error) }, 'could not import a record into the database')
      return []
    }
    // A record that the database rejects must not block the others or the start.
    const saved: Reading[] = []
    for (const one of readings) saved.push(...(await save(deps, [one])))
    return saved
  }
}

async function saveRecords(tx: Orm, readings: Reading[], now: Date): Promise<void> {
  await saveCaptures(tx, await Promise.all(readings.map(rowOf)))
  for (const reading of readings) {
    const { record } = reading
    const { capture, versions } = record
    await noteCopied(tx, { id: capture.id, revision: copiedRevisionOf(reading) })
    await deleteVersions(tx, capture.id)
    await insertVersions(
      tx,
      versions.map((version) => versionRow(capture.id, version)),
    )
    await saveJob(tx, record, now)
  }
}

const rowOf = ({ record }: Reading): Promise<IndexedCapture> =>
  toRow(asLeft(record.capture), { shelved: record.shelved })

/** 0, which writes a new copy, for a recording without a record and for a record that an earlier version split. */
const copiedRevisionOf = ({ record, isNew }: Reading): number =>
  isNew || record.isSplit ? 0 : record.capture.revision

/** No job is running at the start. */
const asLeft = (capture: Capture): Capture =>
  capture.status === 'transcribing' || capture.status === 'refining'
    ? { ...capture, status: 'pending' }
    : capture

/** The only unfinished job is the one in the record; any other job of this capture has ended. */
async function saveJob(tx: Orm, record: CaptureRecord, now: Date): Promise<void> {
  const { capture, promised, lastJobId } = record
  const known = await findUnfinishedJob(tx, capture.id)
  const awaited = promised === null ? null : jobOf(capture.id, promised)
  const isPending = asLeft(capture).status === 'pending'
  if (known !== null && (awaited === null ? isPending : known.id === awaited.id)) return
  if (known !== null) {
    const state = known.id === lastJobId ? stateLeft(capture) : 'canceled'
    await endJob(tx, { id: known.id, state, error: state === 'failed' ? capture.error : null, now })
  }
  if (awaited !== null) await insertJobs(tx, [awaited])
  else if (isPending) await insertJobs(tx, [firstJob(capture, capture.createdAt)])
}

/** The state in which the last job left the capture. */
const stateLeft = ({ status }: Capture): Exclude<JobRow['state'], 'waiting' | 'active'> =>
  status === 'failed' || status === 'canceled' ? status : 'completed'

/** True if some of its files could not be erased. */
async function readTombstone(
  deps: Deps,
  { remains, audioPath }: Tombstone,
  audio: FolderListing['audio'],
): Promise<boolean> {
  const isLeft =
    audio.delete(remains.id) ||
    SLOTS.some((slot) => existsSync(join(deps.store.folder, segmentsPathOf(remains.id, slot))))
  const row = { ...remains, audioPath: isLeft ? audioPath : null }
  await deps.database.transaction((tx) => buryCaptures(tx, [row]))
  await eraseFiles(deps, row).catch((error: unknown) =>
    deps.log.error({ captureId: row.id, reason: String(error) }, 'could not erase a deleted recording'),
  )
  return isLeft
}

/** Keeps an unreadable record for a user who wants to repair it. */
async function setAside(store: Store, id: string): Promise<void> {
  const [path, aside] = [recordPathOf(id), unreadablePathOf(id)]
  await store.put(aside, await store.get(path, await store.hash(path)))
  if (store.address !== null) await store.remove(path)
}

/** A capture whose record is missing or unreadable: from the database, otherwise from its audio. */
async function withoutRecord(
  deps: Deps,
  id: string,
  { audioPath, isSpoiled }: { audioPath: string | undefined; isSpoiled: boolean },
): Promise<Reading | null> {
  const { database, store, log } = deps
  if (isSpoiled) await setAside(store, id)
  const found = await database.run((orm) => findCapture(orm, id))
  if (found !== null) {
    const { shelved, copiedRevision: _copied, ...row } = found.capture
    const parts = await newestParts(store, id, row.revision)
    return { record: { ...newRecord({ ...row, ...parts }), versions: parts.versions, shelved }, isNew: true }
  }
  const sha256 = audioPath === undefined ? '' : await store.hash(audioPath)
  const path = audioPath === undefined ? null : await store.get(audioPath, sha256)
  const kind = path === null ? null : audioKindOf(path)
  if (audioPath === undefined || path === null || kind === null) {
    log.warn({ captureId: id, audioPath }, 'a file in the captures folder is neither a record nor audio')
    return null
  }
  const incoming = { bytes: (await stat(path)).size, sha256, kind }
  // A crash came between the move of the audio and the commit.
  const note = await readNote(deps.inboxFolder, id)
  if (note !== null) {
    const { capture, job, shelved } = newbornOf(incoming, note)
    return { record: { ...newRecord(capture), promised: job && recordedJobOf(job), shelved }, isNew: true }
  }
  const capture = { ...newCapture({ incoming, fields: UNKNOWN, now: timeOfId(id), id }), audioPath }
  return { record: newRecord(capture), isNew: true }
}
