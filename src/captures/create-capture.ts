// Stores a recording: moves and syncs its audio, then commits its row and its first job in one transaction.

import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findCapture, findDeleted, markAudio, saveCapture } from '../../db/captures.ts'
import { countUnfinishedJobs } from '../../db/jobs.ts'
import type { IncomingAudio } from '../audio/audio-file.ts'
import type { DecodeAhead } from '../audio/decode-ahead.ts'
import { DatabaseUnavailableError } from '../lib/database-errors.ts'
import { diskSpace, isDiskFull, withDiskReserve } from '../lib/disk-space.ts'
import { removeDurably, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { retry } from '../lib/retry.ts'
import { newId } from '../lib/uuid.ts'
import { type Capture, type Delivery, publishJobState } from './capture.ts'
import {
  type Arrival,
  forgetNote,
  type InboxNote,
  isInInbox,
  putInInbox,
  writeNote,
} from './capture-files.ts'
import { toRow } from './capture-index.ts'
import type { Archive } from './change-capture.ts'
import {
  diskFull,
  type IntakeFailure,
  type RoomFailure,
  waitingForRoom,
  waitingForStorage,
} from './intake-failures.ts'
import { type CaptureFields, type NewRows, newbornOf } from './new-capture.ts'

export type Intaken = {
  incoming: IncomingAudio
  fields: CaptureFields
  /** the upload was interrupted; the recording is stored, transcribed and marked */
  interrupted?: boolean
  /**
   * The client has no copy: limits on new work do not apply, and after a failure the recording waits in the inbox until
   * it can be stored.
   */
  isOnlyCopy?: boolean
  /** the note that was written when it began to arrive */
  arrival?: Pick<Arrival, 'id' | 'jobId' | 'madeAt' | 'noted'> | undefined
}

export type NewCapture = {
  capture: Capture
  jobId: string
  /** false: the database is unreachable; capture and job appear when it is back */
  queued: boolean
}

export type Intake = Archive & {
  delivery: Delivery
  /** folder for recordings that are not in the database yet */
  inboxFolder: string
  /** starts decoding the stored audio; the job uses the result */
  decodeAhead: DecodeAhead['begin']
  log: Log
  maxQueue: number
  minFreeBytes: number
  /** how many more recordings are accepted before the waiting ones are counted again, at the latest after a while */
  places: { left: number; countedAt: number }
}

const COUNT_AGAIN_MS = 5000

/** Whether there is room for one more; checked before a body is read, and again before it is stored. */
export async function checkDiskRoom(intake: Intake): Promise<Result<void, RoomFailure>> {
  checkOpen(intake)
  const { freeBytes } = await diskSpace(intake.dataFolder)
  if (freeBytes < intake.minFreeBytes) return diskFull
  // Other servers add jobs, too.
  const isOld =
    intake.database.kind === 'external' && performance.now() - intake.places.countedAt > COUNT_AGAIN_MS
  if (intake.places.left <= 0 || isOld) {
    const { waiting } = await intake.database.run(countUnfinishedJobs)
    intake.places.left = intake.maxQueue - waiting
    intake.places.countedAt = performance.now()
  }
  if (intake.places.left > 0) return succeed(undefined)
  return fail({
    code: 'queue_full',
    message: 'Too many recordings are waiting to be transcribed. Try again when some of them are done.',
  })
}

/** Throws after the captures are closed: nothing may be stored then. */
function checkOpen({ delivery }: Intake): void {
  if (delivery.closing.aborted) throw new DatabaseUnavailableError('the captures are closed')
}

/** Stores a recording and queues its transcription: see `takeIn`. */
export const createCapture = (intake: Intake, intaken: Intaken): Promise<Result<NewCapture, IntakeFailure>> =>
  takeIn(intake, intaken, { isDiscarded: false })

/** Stores a recording that the user discarded while it was made: in the trash, untranscribed. */
export async function discardRecording(
  intake: Intake,
  intaken: Intaken,
): Promise<Result<Capture, IntakeFailure>> {
  const taken = await takeIn(intake, intaken, { isDiscarded: true })
  return taken.ok ? succeed(taken.value.capture) : taken
}

/**
 * Stores a recording. `queued` is false if the database fails: the recording is then in the captures folder and its note
 * in the inbox, and it becomes a capture as soon as the database accepts it, or at the next start. After a failure the incoming file is
 * deleted or is the caller's to delete, unless it is an only copy.
 */
async function takeIn(
  intake: Intake,
  intaken: Intaken,
  { isDiscarded }: { isDiscarded: boolean },
): Promise<Result<NewCapture, IntakeFailure>> {
  const { incoming, isOnlyCopy = false } = intaken
  const room = isOnlyCopy ? succeed(undefined) : await checkDiskRoom(intake)
  if (!room.ok) return room
  await intaken.arrival?.noted
  const note = noteOf(intake, intaken, isDiscarded)
  if (!isDiscarded) intake.places.left--
  const inTurn = () =>
    intake.lock(note.id, () => {
      checkOpen(intake)
      return storeOrShelve(intake, intaken, note)
    })
  try {
    return succeed(await (isOnlyCopy ? withDiskReserve(intake.dataFolder, inTurn) : inTurn()))
  } catch (error) {
    if (!isOnlyCopy && !isDiskFull(error)) throw error
    if (!isOnlyCopy) return diskFull
    const path = await putInInbox(intake.inboxFolder, note, incoming.path).catch(() => incoming.path)
    storeLater(intake, { ...incoming, path }, note, error)
    return isDiskFull(error) ? waitingForRoom : waitingForStorage
  }
}

function noteOf(
  { clock }: Intake,
  { fields, interrupted = false, arrival }: Intaken,
  isDiscarded: boolean,
): InboxNote {
  const madeAt = arrival?.madeAt ?? clock()
  const { id, jobId } = arrival ?? { id: newId(madeAt), jobId: newId(madeAt) }
  return { id, jobId, madeAt, fields, isInterrupted: interrupted, isDiscarded }
}

/** In the capture's turn. After an error nothing is stored; an only copy is back in the inbox. */
async function storeOrShelve(intake: Intake, intaken: Intaken, note: InboxNote): Promise<NewCapture> {
  if (intake.store.address !== null) return storeFromInbox(intake, intaken, note)
  const { dataFolder, log } = intake
  const newborn = newbornOf(intaken.incoming, note)
  const { capture, jobId } = newborn
  const path = join(dataFolder, capture.audioPath)
  try {
    await moveIntoPlace(intake, intaken.incoming, capture)
  } catch (error) {
    await giveBack(intaken, path)
    throw error
  }
  try {
    await withDiskReserve(dataFolder, () => commit(intake, newborn))
  } catch (error) {
    log.error(
      { captureId: capture.id, reason: reasonOf(error) },
      'could not store a recording in the database',
    )
    // A lost connection may have committed, and a worker may have begun the job: the audio stays where the worker reads it.
    // The next start finds audio without a row, and its note.
    await writeNote(intake.inboxFolder, note).catch(async (failure: unknown) => {
      if (isDiskFull(error)) await giveBack(intaken, path)
      throw failure
    })
    storeLater(intake, { ...intaken.incoming, path }, note)
    return { capture, jobId, queued: false }
  }
  await forgetNote(intake.inboxFolder, note.id)
  return { capture, jobId, queued: true }
}

/**
 * With a shared store, the recording stays in the inbox until store and database have it: then neither of them, nor a
 * crash between both, loses it.
 */
async function storeFromInbox(intake: Intake, { incoming }: Intaken, note: InboxNote): Promise<NewCapture> {
  const waiting = { ...incoming, path: await putInInbox(intake.inboxFolder, note, incoming.path) }
  const { capture, jobId } = newbornOf(incoming, note)
  try {
    await withDiskReserve(intake.dataFolder, () => storeAgain(intake, waiting, note))
  } catch (error) {
    storeLater(intake, waiting, note, error)
    return { capture, jobId, queued: false }
  }
  return { capture, jobId, queued: true }
}

/** The audio is at its final path and synced. */
async function moveIntoPlace(
  { store, decodeAhead, log }: Intake,
  incoming: IncomingAudio,
  { id, audioPath, trashedAt }: Capture,
): Promise<void> {
  await store.put(audioPath, incoming.path, (path) => {
    log.debug({ phase: 'moved', captureId: id }, 'moved')
    if (trashedAt === null) decodeAhead({ path, bytes: incoming.bytes, kind: incoming.kind })
  })
  log.debug({ phase: 'stored', captureId: id }, 'stored')
  // Its old name would become another capture at the next start, even if this one was deleted meanwhile.
  if (isInInbox(incoming.path)) await syncFolder(dirname(incoming.path))
}

/** An only copy returns to the inbox. Any other was not acknowledged, so no start may make a capture of it. */
async function giveBack({ incoming, isOnlyCopy = false }: Intaken, path: string): Promise<void> {
  // If that fails, too, the next start finds audio without a row and adopts it.
  if (isOnlyCopy) await rename(path, incoming.path).catch(() => {})
  else await removeDurably(path).catch(() => {})
}

/** Row and job. An earlier attempt may have failed after its commit, and the capture may be deleted since. */
async function commit(intake: Intake, { capture, job, shelved }: NewRows): Promise<void> {
  const { database, delivery, copies, publish, log } = intake
  const row = await toRow(capture, { shelved, segments: undefined })
  await database.transaction(async (tx) => {
    await saveCapture(tx, row, job === null ? {} : { job })
    if (job !== null) await delivery.send(tx, [job])
  })
  log.debug({ phase: 'committed', captureId: capture.id }, 'committed')
  copies.wake()
  publish({ name: 'capture.created', captureId: capture.id, status: capture.status })
  if (job === null) return
  publishJobState(intake, job, 'waiting')
  delivery.wake()
}

/** Retries in the background until it succeeds or the captures are closed; the next start imports the rest. */
export function storeLater(
  intake: Intake,
  incoming: IncomingAudio,
  note: InboxNote,
  failure?: unknown,
): void {
  const { dataFolder, delivery, log } = intake
  const { id: captureId } = note
  const onFailure = (error: unknown) =>
    log.error({ captureId, reason: reasonOf(error) }, 'could not store a recording from the inbox; retrying')
  if (failure !== undefined) onFailure(failure)
  const again = () =>
    intake.lock(captureId, () => withDiskReserve(dataFolder, () => storeAgain(intake, incoming, note)))
  void retry(again, { until: delivery.closing, onFailure, isRetry: true }).then(
    (stored) => stored !== null && log.info({ captureId }, 'stored a recording from the inbox'),
  )
}

/**
 * Stores a recording whose note is in the inbox, in its turn. Returns null if an earlier attempt failed after its commit
 * and the capture was deleted since. After an error the audio is in the inbox, or, without a shared store, in the
 * captures folder; the next attempt and the next start look in both.
 */
export async function storeAgain(
  intake: Intake,
  incoming: IncomingAudio,
  note: InboxNote,
): Promise<Capture | null> {
  checkOpen(intake)
  const { database, inboxFolder, copies, delivery } = intake
  if ((await database.run((orm) => findDeleted(orm, note.id))) !== null) {
    await removeDurably(incoming.path)
    await forgetNote(inboxFolder, note.id)
    return null
  }
  const newborn = newbornOf(incoming, note)
  await moveIntoPlace(intake, incoming, newborn.capture)
  const stored = await database.run((orm) => findCapture(orm, note.id))
  if (stored === null) await commit(intake, newborn)
  // An earlier attempt has committed, but could not wake the workers.
  else delivery.wake()
  if (stored?.capture.audioAvailable === false) {
    // The start that found its audio missing imports the inbox afterwards.
    await database.run((orm) => markAudio(orm, [note.id], { isThere: true }))
    copies.wake()
  }
  if (intake.store.address !== null) await removeDurably(incoming.path)
  await forgetNote(inboxFolder, note.id)
  return newborn.capture
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
