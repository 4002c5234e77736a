// The only way to change a capture: in its turn, in one transaction with everything that belongs to the change. The
// versions that a change leaves, restoring one, and cancelling the capture's job build on it.

import {
  deleteVersions,
  insertVersions,
  listVersionNotes,
  listVersions,
  type VersionNote,
} from '../../db/capture-versions.ts'
import { findCapture, type IndexedCapture, noteUncopied, saveChange } from '../../db/captures.ts'
import type { Database, Orm } from '../../db/database.ts'
import { endJob, type JobEnd } from '../../db/jobs.ts'
import type { CaptureVersionRow, JobRow, StoredJobRequest } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { withDiskReserve } from '../lib/disk-space.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { nextTurn } from '../lib/time-slice.ts'
import { isId } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'
import {
  type Capture,
  type CaptureEvents,
  type CaptureVersion,
  captureNotFound,
  countWords,
  type Delivery,
  publishChange,
  publishJobState,
} from './capture.ts'
import { toRow } from './capture-index.ts'
import type { Copies } from './copies.ts'

const MAX_VERSIONS = 50
const MAX_BYTES = 8 * 1024 ** 2

/** When a transcript is replaced, and by which side. */
export type Replacement = { at: Date; by: 'person' | 'server' }

/** Stores the transcript that is about to be replaced, if there is one; in the transaction that replaces it. */
async function storeEarlierState(tx: Orm, capture: Capture, { at, by }: Replacement): Promise<void> {
  if (capture.status !== 'completed') return
  const notes = await listVersionNotes(tx, capture.id)
  const latest = notes.at(-1)
  const { sttModel, language, detectedLanguage, transcriptRaw, transcriptEngine, transcriptRefined } = capture
  const earlier = versionRow(capture.id, {
    number: (latest?.number ?? 0) + 1,
    sttModel,
    language,
    detectedLanguage,
    transcriptRaw,
    transcriptEngine,
    transcriptRefined,
    segments: capture.segments,
    createdAt: at,
    byHand: latest?.replacedByHand === true,
    replacedByHand: by === 'person',
  })
  await insertVersions(tx, [earlier])
  await deleteVersions(tx, capture.id, superfluous([...notes, earlier]))
}

export const versionRow = (captureId: string, version: CaptureVersion): CaptureVersionRow => ({
  ...version,
  captureId,
  byHand: version.byHand ?? false,
  replacedByHand: version.replacedByHand ?? false,
  bytes: bytesOf(version),
})

/**
 * The first version, which the engine wrote, and the latest one always stay. Of the others the oldest are removed
 * first, and those that the user wrote only when no others are left.
 */
function superfluous(versions: VersionNote[]): number[] {
  const inner = versions.slice(1, -1)
  const removable = [...inner.filter(({ byHand }) => !byHand), ...inner.filter(({ byHand }) => byHand)]
  const removed: number[] = []
  let bytes = versions.reduce((sum, version) => sum + version.bytes, 0)
  for (const version of removable) {
    if (versions.length - removed.length <= MAX_VERSIONS && bytes <= MAX_BYTES) break
    removed.push(version.number)
    bytes -= version.bytes
  }
  return removed
}

/** JSON size of a segment and of a word with its times, without their text. */
const SEGMENT_BYTES = 120
const WORD_BYTES = 80

/** An estimate, without serialising it. */
const bytesOf = ({ segments, ...version }: CaptureVersion): number =>
  version.transcriptRaw.length +
  version.transcriptEngine.length +
  (version.transcriptRefined?.length ?? 0) +
  segments.reduce((sum, { text, words }) => sum + SEGMENT_BYTES + text.length + words.length * WORD_BYTES, 0)

export type Archive = CaptureEvents & {
  database: Database
  dataFolder: string
  store: Store
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

/** Must be called in the capture's turn. @throws JobOverError or StaleCaptureError, and then nothing has changed */
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
  const row = await toRow(capture, { shelved, segments: change.segments })
  const save = async (orm: Orm) => {
    if (ended !== undefined && !(await endJob(orm, ended))) throw new JobOverError()
    if (!(await saveChange(orm, row)))
      throw new StaleCaptureError(`capture ${before.id} has changed since it was read`)
    if (replacement !== undefined) await storeEarlierState(orm, before, replacement)
    await alongside?.(orm)
  }
  // One statement needs no transaction around it.
  const isOne = (ended ?? replacement ?? alongside) === undefined
  await (isOne ? archive.database.run(save) : archive.database.transaction(save))
  archive.copies.wake()
  if (isLong(row)) await nextTurn()
  publishChange(archive, capture)
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

/**
 * The capture was changed outside its turn since it was read: by another server, or by a statement whose answer was
 * lost with its connection.
 */
class StaleCaptureError extends Error {}

/** Another server that changes the same capture all the time would have to win this often in a row. */
const MAX_ATTEMPTS = 20
/** The pauses between attempts are random up to this, times the attempts so far: two servers do not keep in step. */
const MAX_PAUSE_MS = 4

/** Runs the work, and repeats it from its beginning if the capture was stale. */
export async function onCurrentState<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleCaptureError) || attempt === MAX_ATTEMPTS) throw error
    }
    await pause(Math.random() * attempt * MAX_PAUSE_MS)
  }
}

/** The job had ended, or a later attempt is running. */
export class JobOverError extends Error {}

type Deps = Archive & { delivery: Delivery }

/**
 * Returns the id of the stopped job, or null if no job was unfinished. With `jobId`, only that job is stopped.
 * An earlier transcript stays; a capture without one becomes `canceled`. Works on a full disk.
 */
export async function cancelCapture(deps: Deps, id: string, jobId?: string): Promise<string | null> {
  return deps.lock(id, () => withDiskReserve(deps.dataFolder, () => cancelInTurn(deps, id, jobId)))
}

async function cancelInTurn(deps: Deps, id: string, jobId: string | undefined): Promise<string | null> {
  const current = await currentState(deps, id)
  const job = current?.job ?? null
  if (current === null || job === null || (jobId !== undefined && job.id !== jobId)) return null
  if (current.capture.status === 'completed') {
    await stopJob(deps, job, current.capture)
    return job.id
  }
  const canceled = await changeCapture(deps, {
    current,
    change: { status: 'canceled', error: null },
    ended: canceledEnd(job, deps.clock()),
    alongside: (tx) => deps.delivery.withdraw(tx, job.id),
  })
  publishJobState(deps, job, 'canceled')
  deps.delivery.ended(job.id, { capture: canceled, warnings: [] })
  return job.id
}

/** Ends the job without changing the capture. Must be called in the capture's turn. */
async function stopJob(deps: Deps, job: JobRow, capture: Capture): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await endJob(tx, canceledEnd(job, deps.clock()))
    await deps.delivery.withdraw(tx, job.id)
    await noteUncopied(tx, [job.captureId])
  })
  deps.copies.wake()
  publishJobState(deps, job, 'canceled')
  deps.delivery.ended(job.id, { capture, warnings: [] })
}

export const canceledEnd = ({ id }: JobRow, now: Date): JobEnd => ({
  id,
  state: 'canceled',
  error: null,
  now,
})

export type RestoreVersionFailure = {
  code: 'capture_not_found' | 'version_not_found' | 'capture_busy'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

/** The replaced transcript becomes a version, so that nothing is lost. */
export async function restoreVersion(
  archive: Archive,
  id: string,
  number: number,
): Promise<Result<Capture, RestoreVersionFailure>> {
  return archive.lock(id, async () => {
    const current = await currentState(archive, id)
    if (current === null) return fail(captureNotFound(id))
    const { capture, job } = current
    if (job !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${job.id} works on this capture and may replace its text. Wait for it or cancel it.`,
        conflictingId: job.id,
      })
    const versions = await archive.database.run((orm) => listVersions(orm, id))
    const version = versions.find((one) => one.number === number)
    if (version === undefined)
      return fail({
        code: 'version_not_found',
        message: `Capture ${id} has no version ${number}; GET /captures/${id}/versions lists those that are stored.`,
      })
    const restored = await changeCapture(archive, {
      current,
      change: stateOfVersion(capture, version),
      replacement: { at: archive.clock(), by: 'person' },
    })
    return succeed(restored)
  })
}

/** A version does not store how its text was refined: it takes the value of the present text, or "rules". */
function stateOfVersion({ refinementStatus }: Capture, version: CaptureVersion): CaptureChange {
  const { sttModel, language, detectedLanguage, segments } = version
  const { transcriptRaw, transcriptEngine, transcriptRefined } = version
  const isRefined = transcriptRefined !== null
  return {
    sttModel,
    language,
    detectedLanguage,
    segments,
    transcriptRaw,
    transcriptEngine,
    transcriptRefined,
    wordCount: countWords(transcriptRefined ?? transcriptRaw),
    refinementStatus: isRefined && refinementStatus === 'none' ? 'rules' : refinementStatus,
    ...(isRefined ? {} : { refinementStatus: 'none', refinementFlags: null, llmModel: null }),
  }
}
