// All operations on captures in one object, for http/ and jobs/.

import { accessSync, constants } from 'node:fs'
import { listVersions } from '../../db/capture-versions.ts'
import { findCapture, tagSpellings } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock, type KeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { isId } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'
import type { Refined } from '../writing/refined.ts'
import {
  type BegunJob,
  type Capture,
  type CaptureError,
  type CaptureEvents,
  type CapturePatch,
  type CaptureVersion,
  captureNotFound,
  countWords,
  type Delivery,
  type IsExpected,
  type JobKey,
} from './capture.ts'
import { type Arrival, noteArrival } from './capture-files.ts'
import {
  type CaptureQuery,
  type CaptureSelection,
  type FoundCapture,
  idsOf,
  listCaptures,
} from './capture-index.ts'
import {
  beginJob,
  completeRefinement,
  completeTranscription,
  failJob,
  type JobWork,
  putJobBack,
  queueRefinement,
  type RefineFailure,
  type RefineRequest,
  type RetranscribeFailure,
  type RetranscribeRequest,
  retranscribeCapture,
  showRefining,
  type Transcribed,
} from './capture-jobs.ts'
import {
  cancelCapture,
  changeCapture,
  currentState,
  onCurrentState,
  type RestoreVersionFailure,
  restoreVersion,
} from './change-capture.ts'
import { createCopies } from './copies.ts'
import {
  type Corrected,
  type CorrectionFailure,
  correctSegment,
  type SegmentCorrection,
} from './correct-segment.ts'
import {
  checkDiskRoom,
  createCapture,
  discardRecording,
  type Intake,
  type Intaken,
  type NewCapture,
} from './create-capture.ts'
import type { IntakeFailure, RoomFailure } from './intake-failures.ts'
import type { CaptureFields } from './new-capture.ts'
import { takeInbox } from './recovery.ts'
import { removeAudio, removeCapture, restoreCapture, trashCapture } from './remove-capture.ts'
import type { Removal } from './retention.ts'
import { changedTags, MAX_TAGS, type UsedTag, usedTags } from './tags.ts'

export type CapturesDeps = CaptureEvents & {
  database: Database
  dataFolder: string
  store: Store
  /** folder for recordings that are not in the database yet */
  inboxFolder: string
  delivery: Delivery
  /** by default nothing is decoded ahead */
  decodeAhead?: Intake['decodeAhead']
  clock: Clock
  log: Log
  /** limit of waiting jobs */
  maxQueue: number
  /** with less free disk space nothing is accepted; 200 MB by default */
  minFreeBytes?: number
}

export type CaptureAudio = {
  /** absolute path */
  path: string
  bytes: number
  type: string
  sha256: string
}

export type Captures = {
  /** whether one more recording is accepted; called before a body is read */
  checkRoom(): Promise<Result<void, RoomFailure>>
  create(intaken: Intaken): Promise<Result<NewCapture, IntakeFailure>>
  /** called before a recording arrives of which the client has no copy */
  noteArrival(coming: { fields: CaptureFields; isDiscarded: boolean }): Arrival
  /** stores it in the trash, untranscribed */
  discard(intaken: Intaken): Promise<Result<Capture, IntakeFailure>>
  /** at the start: stores the recordings that wait in the inbox; returns their number */
  takeInbox(): Promise<number>
  get(id: string): Promise<Capture | null>
  list(query: CaptureQuery): Promise<{ items: FoundCapture[]; total: number }>
  /** in the order of their creation */
  ids(which: CaptureSelection): Promise<{ ids: string[]; missing: string[] }>
  /** changing a refined text stores the earlier state as a version */
  update(id: string, patch: Omit<CapturePatch, 'addTags'>): Promise<Capture | null>
  /** only if the capture is unchanged since the client read it, and gets no more tags than MAX_TAGS */
  update(
    id: string,
    patch: CapturePatch,
    isExpected: IsExpected,
  ): Promise<Capture | 'changed' | 'too_many_tags' | null>
  /** outside the trash, most used first */
  tags(): Promise<UsedTag[]>
  /** false if there is no such capture */
  remove(id: string): Promise<boolean>
  /** for retention: removes only captures that are still due in their turn */
  removal: Removal
  /** a correction by the user; the earlier state becomes a version */
  correctSegment(id: string, correction: SegmentCorrection): Promise<Result<Corrected, CorrectionFailure>>
  /** stops work on it; null if there is no such capture */
  trash(id: string): Promise<Capture | null>
  /** takes it out of the trash; null if there is no such capture */
  restore(id: string): Promise<Capture | null>
  retranscribe(
    id: string,
    request: RetranscribeRequest,
  ): Promise<Result<{ jobId: string }, RetranscribeFailure>>
  refine(id: string, request: RefineRequest): Promise<Result<{ jobId: string }, RefineFailure>>
  /** returns the id of the stopped job; null if there was none, or it was not `jobId` */
  cancel(id: string, jobId?: string): Promise<string | null>
  /** earlier transcripts, oldest first */
  versions(id: string): Promise<CaptureVersion[] | null>
  /** the replaced transcript becomes a version */
  restoreVersion(id: string, number: number): Promise<Result<Capture, RestoreVersionFailure>>
  audioFile(
    id: string,
  ): Promise<Result<CaptureAudio, { code: 'capture_not_found' | 'audio_gone'; message: string }>>
  /** writes the remaining copies; no change may follow */
  close(): Promise<void>
  /** for the job handler only */
  work: {
    begin(job: JobKey): Promise<JobWork | null>
    /** its local file; @throws as the store does */
    audioFile(capture: Capture): Promise<string>
    showRefining(job: JobKey): Promise<void>
    /** false if the job was cancelled or restarted meanwhile; nothing is written then */
    completeTranscription(job: BegunJob, transcribed: Transcribed): Promise<boolean>
    completeRefinement(job: BegunJob, refined: Refined): Promise<boolean>
    fail(job: BegunJob, error: CaptureError): Promise<void>
    putBack(job: BegunJob, how: { countAttempt: boolean }): Promise<boolean>
  }
}

const MIN_FREE_BYTES = 200 * 1024 * 1024

export function createCaptures(deps: CapturesDeps): Captures {
  const { database, dataFolder } = deps
  const inTurn = createKeyedLock()
  const lock: KeyedLock = (id, work) =>
    inTurn(id, () => {
      // A commit that fails half-way on a read-only disk would end the embedded database, and with it all reads.
      if (database.kind === 'embedded') accessSync(dataFolder, constants.W_OK)
      return onCurrentState(work)
    })
  const copies = createCopies({ ...deps, lock })
  const intake: Intake = {
    minFreeBytes: MIN_FREE_BYTES,
    decodeAhead: () => {},
    ...deps,
    lock,
    copies,
    places: { left: 0, countedAt: 0 },
  }
  copies.wake()
  return {
    checkRoom: () => checkDiskRoom(intake),
    create: (intaken) => createCapture(intake, intaken),
    discard: (intaken) => discardRecording(intake, intaken),
    noteArrival: (coming) => noteArrival(intake, coming),
    takeInbox: () => takeInbox(intake),
    get: async (id) => (await currentState(intake, id))?.capture ?? null,
    list: (query) => listCaptures(database, query),
    ids: (which) => idsOf(database, which),
    update: ((id, patch, isExpected) =>
      updateCapture(intake, id, { patch, isExpected })) as Captures['update'],
    tags: async () => usedTags(await database.run(tagSpellings)),
    remove: (id) => removeCapture(intake, id),
    removal: {
      remove: (id, isMeant) => removeCapture(intake, id, isMeant),
      removeAudio: (id, isMeant) => removeAudio(intake, id, isMeant),
    },
    correctSegment: (id, correction) => correctSegment(intake, id, correction),
    trash: (id) => trashCapture(intake, id),
    restore: (id) => restoreCapture(intake, id),
    retranscribe: (id, request) => retranscribeCapture(intake, id, request),
    refine: (id, request) => queueRefinement(intake, id, request),
    cancel: (id, jobId) => cancelCapture(intake, id, jobId),
    versions: (id) => versionsOf(intake, id),
    restoreVersion: (id, number) => restoreVersion(intake, id, number),
    audioFile: (id) => audioFileOf(intake, id),
    close: () => copies.stop(),
    work: {
      begin: (job) => beginJob(intake, job),
      audioFile: ({ audioPath, audioSha256 }) => deps.store.get(audioPath, audioSha256),
      showRefining: (job) => showRefining(intake, job),
      completeTranscription: (key, transcribed) => completeTranscription(intake, key, transcribed),
      completeRefinement: (key, refined) => completeRefinement(intake, key, refined),
      fail: (job, error) => failJob(intake, job, error),
      putBack: (job, how) => putJobBack(intake, job, how),
    },
  }
}

type Update = { patch: CapturePatch; isExpected?: IsExpected | undefined }

async function updateCapture(
  intake: Intake,
  id: string,
  { patch, isExpected = () => true }: Update,
): Promise<Capture | 'changed' | 'too_many_tags' | null> {
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null) return null
    if (!isExpected(current.capture)) return 'changed'
    const { transcriptRefined: former, transcriptRaw, createdAt } = current.capture
    const { transcriptRefined = former, recordedAt = current.capture.recordedAt, ...others } = patch
    const { tags: replaced, addTags, removeTags, ...rest } = others
    const tags = changedTags(current.capture.tags, { tags: replaced, addTags, removeTags })
    if (tags.length > MAX_TAGS) return 'too_many_tags'
    const wordCount = countWords(transcriptRefined ?? transcriptRaw)
    const change = { ...rest, tags, transcriptRefined, wordCount, recordedAt: recordedAt ?? createdAt }
    const isRewritten = transcriptRefined !== former
    const replacement = isRewritten ? { at: intake.clock(), by: 'person' as const } : undefined
    return changeCapture(intake, { current, change, replacement })
  })
}

async function versionsOf({ database }: Intake, id: string): Promise<CaptureVersion[] | null> {
  if (!isId(id) || (await database.run((orm) => findCapture(orm, id))) === null) return null
  return database.run((orm) => listVersions(orm, id))
}

async function audioFileOf(intake: Intake, id: string): ReturnType<Captures['audioFile']> {
  const capture = (await currentState(intake, id))?.capture
  if (capture === undefined) return fail(captureNotFound(id))
  const { audioBytes: bytes, audioType: type, audioSha256: sha256 } = capture
  try {
    return succeed({ path: await intake.store.get(capture.audioPath, sha256), bytes, type, sha256 })
  } catch (error) {
    if (!isMissing(error)) throw error
    return fail({ code: 'audio_gone', message: 'The audio of this capture is gone; only its text is left.' })
  }
}
