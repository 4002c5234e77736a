// The record of a capture in a file beside its audio: all that is known of it, or its tombstone.
// This is the truth; the database is an index of it (see index-row.ts).

import { readFileSync, statSync, utimesSync } from 'node:fs'
import { type DeletedCaptureRow, type JobRow, jobs } from '../../db/schema.ts'
import { writeFileDurably } from '../lib/durable.ts'
import { reviver } from '../lib/entity.ts'
import { isMissing } from '../lib/missing-file.ts'
import { type Capture, CaptureSchema, type CaptureVersion } from './capture.ts'
import { isAudioPathOf, recordPathOf } from './capture-files.ts'
import { type StoredJob, type StoredRecord, storedRecord } from './record-schema.ts'
import {
  type Apart,
  eraseOtherSegments,
  eraseSlot,
  isLong,
  readSegments,
  type SegmentsApart,
  type SegmentsKey,
  versionOf,
  writeSegments,
} from './segments-apart.ts'

export type CaptureRecord = {
  state: 'kept'
  capture: Capture
  versions: CaptureVersion[]
  /** the file that has the segments and versions of a long capture; null where they are in the record itself */
  apart: Apart | null
  /** the last job whose outcome this record holds */
  lastJobId: string | null
  /** the last batch whose work this record holds: it does none twice, whatever the database remembers */
  lastBatchId: string | null
  /** the retranscription that a client was promised; the database alone may forget it in a power cut */
  promised: PromisedJob | null
  /** the job that the trash took away and that restoring the capture asks for again */
  shelved: PromisedJob | null
}

export type PromisedJob = { jobId: string } & Pick<
  JobRow,
  'kind' | 'model' | 'language' | 'prompt' | 'keepRefined' | 'refinement' | 'batchId' | 'createdAt'
>

export type Tombstone = { state: 'deleted'; remains: DeletedCaptureRow; audioPath: string }

/** Of a capture of which nothing else is known. */
export const newRecord = (capture: Capture): CaptureRecord => ({
  state: 'kept',
  capture,
  versions: [],
  apart: null,
  lastJobId: null,
  lastBatchId: null,
  promised: null,
  shelved: null,
})

/**
 * Survives a power cut when it resolves. `before` is the record as it was read: where segments and versions are still
 * those, their file stays as it is.
 */
export async function writeRecord(
  dataFolder: string,
  record: CaptureRecord | Tombstone,
  before: CaptureRecord | null = null,
): Promise<void> {
  const path = recordPathOf(dataFolder, idOf(record))
  const write = (stored: object) =>
    writeFileDurably(path, `${JSON.stringify({ format: 1, ...stored })}\n`, fileTimeOf(record))
  if (record.state === 'deleted') return await write(record)
  const key = { dataFolder, id: record.capture.id }
  const apart = await putApart(key, record, before)
  try {
    await write({ ...(apart === null ? record : withoutSegments(record)), apart })
  } catch (error) {
    // A full disk gets back what was written in vain.
    const isInVain = apart !== before?.apart && namedOnDisk(key)?.slot !== apart?.slot
    if (apart !== null && isInVain) eraseSlot(key, apart.slot)
    throw error
  }
  eraseOtherSegments(key, apart)
}

function withoutSegments({ capture, versions: _theirs, ...record }: CaptureRecord) {
  const { segments: _its, ...small } = capture
  return { ...record, capture: small }
}

/**
 * The file that is to be named: the one that is there, a new one, or none. What is on the disk decides, not what the
 * writer remembers of it: the file that a record names is never written to.
 */
async function putApart(
  key: SegmentsKey,
  { capture, versions }: CaptureRecord,
  before: CaptureRecord | null,
): Promise<Apart | null> {
  const { segments, revision } = capture
  const isSame = before?.capture.segments === segments && before.versions === versions
  const mayStay = isSame && before.apart !== null
  if (!mayStay && !isLong({ segments, versions })) return null
  const named = namedOnDisk(key)
  const isThere = named === undefined || Bun.deepEquals(named, before?.apart)
  if (mayStay && isThere) return before.apart
  const next: Apart = { slot: (named ?? before?.apart)?.slot === 0 ? 1 : 0, revision }
  await writeSegments(key, next, { segments, versions })
  return next
}

/** Undefined where no record can be read: what it named, if anything, is what was found again (see change-capture.ts). */
function namedOnDisk({ dataFolder, id }: SegmentsKey): Apart | null | undefined {
  const stored = readStored(dataFolder, id)
  if (stored === null || stored === 'unreadable') return undefined
  return stored.state === 'deleted' ? null : (stored.apart ?? null)
}

const idOf = (record: CaptureRecord | Tombstone): string =>
  record.state === 'kept' ? record.capture.id : record.remains.id

const PROMISED_MS = 1000

/**
 * The file bears the time that the row has too, where the row has followed it: so a start tells, among a hundred thousand
 * and whatever the clock did, which records it has to open. One that promises something is always opened.
 */
function fileTimeOf(record: CaptureRecord | Tombstone): Date {
  if (record.state === 'deleted') return record.remains.deletedAt
  const { promised, capture } = record
  return promised === null ? capture.updatedAt : new Date(capture.updatedAt.getTime() + PROMISED_MS)
}

/** In milliseconds since 1970, to be compared with the row's. */
export const recordTimeOf = (dataFolder: string, id: string): number =>
  Math.round(statSync(recordPathOf(dataFolder, id)).mtimeMs)

/**
 * Has the file bear its time again, which a copy, or a version of this program that gave it none, has left out. Where
 * the file system takes none, each start opens the record.
 */
export function restoreRecordTime(dataFolder: string, record: CaptureRecord | Tombstone): void {
  const time = fileTimeOf(record)
  try {
    utimesSync(recordPathOf(dataFolder, idOf(record)), time, time)
  } catch {
    // It is only slower so.
  }
}

/** Null where there is none; `unreadable` where it is not one of ours. */
export type RecordRead = CaptureRecord | Tombstone | 'unreadable' | null

export const isKept = (record: RecordRead): record is CaptureRecord =>
  record !== null && record !== 'unreadable' && record.state === 'kept'
export const isTombstone = (record: RecordRead): record is Tombstone =>
  record !== null && record !== 'unreadable' && record.state === 'deleted'

/**
 * Read at once: handing a file of some kilobytes to another thread was measured to take longer than a busy database; and
 * so no change comes between a record and the file that it names. What is read without its segments is not to be
 * written back.
 */
export async function readRecord(
  dataFolder: string,
  id: string,
  how: 'whole' | 'without segments' = 'whole',
): Promise<RecordRead> {
  const stored = readStored(dataFolder, id)
  if (stored === null || stored === 'unreadable') return stored
  if (stored.state === 'deleted') return tombstoneOf(stored)
  const { capture, versions, apart = null } = stored
  if (apart === null) {
    if (capture.segments === undefined || versions === undefined) return 'unreadable'
    return keptOf(stored, { segments: capture.segments, versions: versions.map(versionOf) })
  }
  // What was spoiled has lost its times; its text is in the record.
  const found = how === 'whole' ? readSegments({ dataFolder, id }, apart) : null
  return keptOf(stored, found ?? NO_SEGMENTS)
}

const NO_SEGMENTS = { segments: [], versions: [] }

function readStored(dataFolder: string, id: string): StoredRecord | 'unreadable' | null {
  let text: string
  try {
    text = readFileSync(recordPathOf(dataFolder, id), 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
  const stored = parse(text)
  return stored !== null && belongsTo(stored, id) ? stored : 'unreadable'
}

function parse(text: string): StoredRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return storedRecord.Check(value) ? value : null
  } catch {
    return null
  }
}

const belongsTo = (stored: StoredRecord, id: string): boolean =>
  stored.state === 'kept'
    ? stored.capture.id === id && isAudioPathOf(id, stored.capture.audioPath)
    : stored.remains.id === id && isAudioPathOf(id, stored.audioPath)

const tombstoneOf = ({ remains, audioPath }: Extract<StoredRecord, { state: 'deleted' }>): Tombstone => ({
  state: 'deleted',
  remains: {
    ...remains,
    corrections: remains.corrections ?? 0,
    createdAt: new Date(remains.createdAt),
    recordedAt: new Date(remains.recordedAt ?? remains.createdAt),
    deletedAt: new Date(remains.deletedAt),
  },
  audioPath,
})

function keptOf(
  stored: Extract<StoredRecord, { state: 'kept' }>,
  { segments, versions }: SegmentsApart,
): CaptureRecord {
  const { capture, apart = null, lastJobId, lastBatchId = null, promised = null, shelved = null } = stored
  return {
    state: 'kept',
    capture: captureOf({
      ...capture,
      segments,
      corrections: capture.corrections ?? 0,
      recordedAt: capture.recordedAt ?? capture.createdAt,
    }),
    versions,
    apart,
    lastJobId,
    lastBatchId,
    promised: promised && jobFromStored(promised),
    shelved: shelved && jobFromStored(shelved),
  }
}

const captureOf = reviver(CaptureSchema.properties)

const jobFromStored = (job: StoredJob): PromisedJob => ({
  ...job,
  kind: jobs.kind.enumValues.find((kind) => kind === job.kind) ?? 'retranscribe',
  refinement: job.refinement ?? null,
  batchId: job.batchId ?? null,
  createdAt: new Date(job.createdAt),
})
