// The only way to change a capture: in its turn, in one transaction with everything that belongs to the change.

import { findCapture, type IndexedCapture, saveCapture } from '../../db/captures.ts'
import type { Database, Orm } from '../../db/database.ts'
import { endJob, type JobEnd } from '../../db/jobs.ts'
import type { JobRow, StoredJobRequest } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import { inSlices, nextTurn } from '../lib/time-slice.ts'
import { isId } from '../lib/uuid.ts'
import type { Capture } from './capture.ts'
import { type CaptureEvents, tellChanged } from './capture-events.ts'
import type { Copies } from './copies.ts'
import { indexRow } from './index-row.ts'
import { type Replacement, storeEarlierState } from './versions.ts'

export type Archive = CaptureEvents & {
  database: Database
  dataFolder: string
  clock: Clock
  /** Every change of a capture goes through its turn, so that cancel, finish, PATCH and DELETE never race. */
  lock: KeyedLock
  copies: Pick<Copies, 'wake'>
}

/** A capture in its current state, with its waiting or running job. */
export type Current = {
  capture: Capture
  job: JobRow | null
  /** the job that restoring it from the trash queues again */
  shelved: StoredJobRequest | null
  /** the disk could not read its record at the first start of this version; the record holds more than the row */
  isUnread: boolean
}

/** Null if there is no such capture. */
export async function currentState(
  { database }: Pick<Archive, 'database'>,
  id: string,
): Promise<Current | null> {
  if (!isId(id)) return null
  const found = await database.run((orm) => findCapture(orm, id))
  if (found === null) return null
  const { shelved, copiedRevision, ...capture } = found.capture
  const isUnread = copiedRevision === null
  return { capture: { ...capture, segments: found.segments }, job: found.job, shelved, isUnread }
}

/** The changed fields; `revision` and `updatedAt` are set here. */
export type CaptureChange = Partial<Omit<Capture, 'id' | 'revision' | 'updatedAt' | 'createdAt'>>

type Change = {
  current: Current
  change: CaptureChange
  /** the change replaces the transcript, which becomes a version */
  replacement?: Replacement | undefined
  /** the end of the job that produced this change */
  ended?: JobEnd | undefined
  shelved?: Current['shelved']
  /** runs in the same transaction */
  alongside?: ((tx: Orm) => Promise<void>) | undefined
}

/** Must be called in the capture's turn. @throws JobOverError, and then nothing has changed */
export async function changeCapture(
  archive: Archive,
  { current, change, replacement, ended, shelved = current.shelved, alongside }: Change,
): Promise<Capture> {
  refuseUnread(current)
  const before = current.capture
  const capture: Capture = {
    ...before,
    ...change,
    revision: before.revision + 1,
    updatedAt: archive.clock(),
  }
  const row = await inSlices(indexRow(capture, { shelved, segments: change.segments }))
  const save = async (orm: Orm) => {
    if (ended !== undefined && !(await endJob(orm, ended))) throw new JobOverError()
    if (replacement !== undefined) await storeEarlierState(orm, before, replacement)
    await saveCapture(orm, row)
    await alongside?.(orm)
  }
  // One statement needs no transaction around it.
  const isOne = (ended ?? replacement ?? alongside) === undefined
  await (isOne ? archive.database.run(save) : archive.database.transaction(save))
  archive.copies.wake()
  if (isLong(row)) await nextTurn()
  tellChanged(archive, capture)
  return capture
}

/** Rejects the change: the next start reads the record and would overwrite it. @throws as the disk does */
export function refuseUnread({ capture, isUnread }: Current): void {
  if (!isUnread) return
  const error = new Error(`the record of capture ${capture.id} could not be read; the next start tries again`)
  throw Object.assign(error, { code: 'EIO' })
}

const LONG_CHARACTERS = 100_000

/** The next request may contain such a text, too. */
const isLong = ({ capture }: IndexedCapture): boolean => capture.transcriptRaw.length > LONG_CHARACTERS

/** The job had ended, or a later attempt is running. */
export class JobOverError extends Error {}
