// The one way a capture changes: alone, the record first, then its row with whatever belongs to the change.
// What changes is for the callers.

import {
  findCapture,
  findStanding,
  type IndexedCapture,
  type Standing,
  saveCapture,
} from '../../db/captures.ts'
import type { Database, Orm } from '../../db/database.ts'
import { endJob, type JobEnd } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import { inSlices, nextTurn } from '../lib/slices.ts'
import { isId } from '../lib/uuid.ts'
import type { Capture } from './capture.ts'
import { type CaptureEvents, tellChanged } from './capture-events.ts'
import { type CaptureSummary, indexRow } from './index-row.ts'
import { type CaptureRecord, newRecord, type RecordRead, readRecord, writeRecord } from './record.ts'
import { newestSegments } from './segments-apart.ts'

export type Archive = CaptureEvents & {
  database: Database
  dataFolder: string
  clock: Clock
  /** every change of a capture goes through its turn, so that cancel, finish, PATCH and DELETE never race */
  lock: KeyedLock
}

/** What is written of a change; `revision` and `updatedAt` are set here. */
export type CaptureChange = Partial<Omit<Capture, 'id' | 'revision' | 'updatedAt' | 'createdAt'>>

type Change = {
  current: CaptureRecord
  change: CaptureChange
  versions?: CaptureRecord['versions']
  /** the end of the job whose outcome this is */
  ended?: JobEnd | undefined
  /** the batch that had it done */
  lastBatchId?: string | null
  promised?: CaptureRecord['promised']
  shelved?: CaptureRecord['shelved']
  /** runs in the transaction that saves the row; throwing undoes the row, and the next change brings it up to date */
  alongside?: ((tx: Orm) => Promise<void>) | undefined
  /** after the record is durable and before the row is */
  onJournaled?: () => void
}

/** Must be called in the capture's turn. */
export async function changeCapture(
  archive: Archive,
  { current, change, versions, ended, lastBatchId, promised, shelved, alongside, onJournaled }: Change,
): Promise<Capture> {
  const capture: Capture = {
    ...current.capture,
    ...change,
    revision: current.capture.revision + 1,
    updatedAt: otherThan(current.capture.updatedAt, archive.clock()),
  }
  const changed: CaptureRecord = {
    state: 'kept',
    capture,
    versions: versions ?? current.versions,
    apart: current.apart,
    lastJobId: ended?.id ?? current.lastJobId,
    lastBatchId: lastBatchId ?? current.lastBatchId,
    // An outcome keeps the promise, whatever it is.
    promised: ended === undefined ? (promised ?? current.promised) : null,
    shelved: shelved === undefined ? current.shelved : shelved,
  }
  const written = writeRecord(archive.dataFolder, changed, current)
  // Worked out while the disk is waited for. Whatever fails, the turn ends after both.
  const indexed = inSlices(indexRow(capture))
  await Promise.allSettled([indexed, written])
  await written
  const row = await indexed
  onJournaled?.()
  await saveRow(archive.database, { row, ended, alongside })
  if (row.capture.transcriptRaw.length > LONG_CHARACTERS) await nextTurn()
  tellChanged(archive, capture)
  return capture
}

/** A database in this process takes a tenth of a second to save such a text, and who is next another to send it. */
const LONG_CHARACTERS = 100_000

/** No revision bears the time of the one before, by which a start tells them apart (see record.ts). */
const otherThan = (before: Date, now: Date): Date =>
  now.getTime() === before.getTime() ? new Date(now.getTime() + 1) : now

/** The job had ended before, or a later attempt works on it. */
export class JobOverError extends Error {}

/** One statement needs no transaction around it. */
const saveRow = (
  database: Database,
  { row, ended, alongside }: Pick<Change, 'ended' | 'alongside'> & { row: IndexedCapture },
): Promise<void> =>
  ended === undefined && alongside === undefined
    ? database.run((orm) => saveCapture(orm, row))
    : database.transaction(async (tx) => {
        if (ended !== undefined && !(await endJob(tx, ended))) throw new JobOverError()
        await saveCapture(tx, row)
        await alongside?.(tx)
      })

/** Writes down, or crosses out, what a client was promised; the capture itself stays as it is, and so does its row. */
export async function notePromise(
  { dataFolder }: Pick<Archive, 'dataFolder'>,
  { capture, versions, apart, lastJobId, lastBatchId, shelved }: CaptureRecord,
  promised: CaptureRecord['promised'],
): Promise<void> {
  const record: CaptureRecord = {
    state: 'kept',
    capture,
    versions,
    apart,
    lastJobId,
    lastBatchId,
    promised,
    shelved,
  }
  await writeRecord(dataFolder, record, record)
}

/** A capture as it stands, and its waiting or running job. */
export type Current = CaptureRecord & { job: JobRow | null }

/** Null where there is no such capture. */
export async function currentState(
  archive: Pick<Archive, 'database' | 'dataFolder'>,
  id: string,
): Promise<Current | null> {
  return isId(id) ? stateOf(archive, id, await readRecord(archive.dataFolder, id)) : null
}

/** The same, of a record that was read in the same turn. */
export async function stateOf(
  { database, dataFolder }: Pick<Archive, 'database' | 'dataFolder'>,
  id: string,
  record: RecordRead,
): Promise<Current | null> {
  // Somebody removed or spoiled the file: what the index knows is all there is, and the next change writes it again.
  if (record === null || record === 'unreadable') {
    const found = await database.run((orm) => findCapture(orm, id))
    return found && { ...foundAgain(dataFolder, found.capture), job: found.job }
  }
  const standing = await database.run((orm) => findStanding(orm, id))
  if (standing === null || record.state !== 'kept') return null
  return { ...record, capture: asIndexed(record.capture, standing), job: standing.job }
}

/** What is left where there is no record: the row, and of a long capture the file of its segments. */
function foundAgain(dataFolder: string, row: CaptureSummary): CaptureRecord {
  const { segments = [], ...others } = newestSegments({ dataFolder, id: row.id }, row.revision) ?? {}
  return { ...newRecord({ ...row, segments }), ...others }
}

/** Two things the row alone tells: that work has begun, and that the audio was found missing. */
const asIndexed = (capture: Capture, row: Standing): Capture => ({
  ...capture,
  status: isUnderWay(capture.status) && isUnderWay(row.status) ? row.status : capture.status,
  audioAvailable: capture.audioAvailable && row.audioAvailable,
})

const isUnderWay = (status: string): status is 'pending' | 'transcribing' | 'refining' =>
  status === 'pending' || status === 'transcribing' || status === 'refining'
