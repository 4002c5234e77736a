// The record of a capture in a JSON file beside its audio: a readable copy from which the database can be rebuilt.
// It is written after the commit (copies.ts) and read only by recovery.ts.

import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type DeletedCaptureRow, type JobRow, jobs, type StoredJobRequest } from '../../db/schema.ts'
import { nullable, oneOf } from '../lib/schema.ts'
import { jsonMoment, jsonProperties, reviver } from '../lib/schema-mapping.ts'
import type { Store } from '../store/store.ts'
import { type Capture, CaptureSchema, type CaptureVersion, CaptureVersionSchema } from './capture.ts'
import { isAudioPathOf, recordPathOf, segmentsPathOf } from './capture-files.ts'

const text = Type.String()
const maybeText = nullable(text)

const capture = {
  ...jsonProperties(CaptureSchema.properties),
  /** missing in records of the first version */
  corrections: Type.Optional(Type.Integer()),
  /** missing in records written before this field existed */
  recordedAt: Type.Optional(jsonMoment()),
  /** likewise */
  tags: Type.Optional(Type.Array(text)),
}
const { segments, ...withoutSegments } = capture
const versions = Type.Array(Type.Object(jsonProperties(CaptureVersionSchema.properties)))

/** Earlier versions wrote the segments of a long capture to one of two files, which the record names. */
export const SLOTS = [0, 1] as const
const Apart = Type.Object({
  slot: Type.Union(SLOTS.map((slot) => Type.Literal(slot))),
  revision: Type.Integer(),
})

const ApartSchema = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  revision: Type.Integer(),
  segments,
  versions,
})
export type StoredApart = Static<typeof ApartSchema>
const storedApart = TypeCompiler.Compile(ApartSchema)

const Refinement = Type.Object({
  refine: nullable(Type.Boolean()),
  flags: nullable(
    Type.Partial(
      Type.Object({
        smartCleanup: Type.Boolean(),
        selfCorrection: Type.Boolean(),
        preserveTechnical: Type.Boolean(),
      }),
    ),
  ),
  writingStyleId: maybeText,
  useLlm: nullable(Type.Boolean()),
  llmModel: maybeText,
})

const Request = Type.Object({
  /** missing in records of the first version */
  kind: Type.Optional(oneOf(jobs.kind.enumValues)),
  model: maybeText,
  language: maybeText,
  prompt: maybeText,
  keepRefined: Type.Boolean(),
  refinement: Type.Optional(nullable(Refinement)),
})
const Job = Type.Composite([
  Request,
  Type.Object({ jobId: text, batchId: Type.Optional(maybeText), createdAt: jsonMoment() }),
])

const Kept = Type.Object({
  format: Type.Literal(1),
  state: Type.Literal('kept'),
  /** both are in the file that `apart` names, if there is one */
  capture: Type.Object({ ...withoutSegments, segments: Type.Optional(segments) }),
  versions: Type.Optional(versions),
  apart: Type.Optional(nullable(Apart)),
  lastJobId: maybeText,
  lastBatchId: Type.Optional(maybeText),
  /** the waiting or running job; missing in records of the first version */
  promised: Type.Optional(nullable(Job)),
  /** the job that restoring the capture from the trash queues again */
  shelved: Type.Optional(nullable(Request)),
})

const {
  id,
  source,
  status,
  wordCount,
  durationMs,
  sttModel,
  language,
  appName,
  appId,
  createdAt,
  recordedAt,
} = capture
const Deleted = Type.Object({
  format: Type.Literal(1),
  state: Type.Literal('deleted'),
  remains: Type.Object({
    id,
    source,
    status,
    wordCount,
    durationMs,
    sttModel,
    language,
    appName,
    appId,
    createdAt,
    recordedAt,
    refined: Type.Boolean(),
    corrections: capture.corrections,
    deletedAt: jsonMoment(),
  }),
  /** the files to unlink after this was written */
  audioPath: text,
})

const Stored = Type.Union([Kept, Deleted])
export type StoredRecord = Static<typeof Stored>

const storedRecord = TypeCompiler.Compile(Stored)

export type CaptureRecord = {
  state: 'kept'
  capture: Capture
  versions: CaptureVersion[]
  /** the waiting or running job */
  promised: RecordedJob | null
  /** the job that restoring the capture from the trash queues again */
  shelved: StoredJobRequest | null
  /** the last job whose outcome the capture shows; only earlier versions wrote it */
  lastJobId?: string | null
  /** the last batch that transcribed it; only earlier versions wrote it */
  lastBatchId?: string | null
  /** whether an earlier version wrote parts of it to other files */
  isSplit?: boolean
}

export type RecordedJob = StoredJobRequest & { jobId: string } & Pick<JobRow, 'batchId' | 'createdAt'>

export type Tombstone = { state: 'deleted'; remains: Omit<DeletedCaptureRow, 'audioPath'>; audioPath: string }

/** The record of a capture with nothing else known. */
export const newRecord = (capture: Capture): CaptureRecord => ({
  state: 'kept',
  capture,
  versions: [],
  promised: null,
  shelved: null,
})

/** Survives a power cut once it resolves. */
export const writeRecord = (store: Pick<Store, 'write'>, record: CaptureRecord | Tombstone): Promise<void> =>
  store.write(recordPathOf(idOf(record)), `${JSON.stringify({ format: 1, lastJobId: null, ...record })}\n`)

const idOf = (record: CaptureRecord | Tombstone): string =>
  record.state === 'kept' ? record.capture.id : record.remains.id

/** Null if there is no file; `unreadable` if it holds no record of this capture. */
export type RecordRead = CaptureRecord | Tombstone | 'unreadable' | null

type Readable = Pick<Store, 'read'>

/** @throws if the disk fails */
export async function readRecord(store: Readable, id: string): Promise<RecordRead> {
  const text = await textIn(store, recordPathOf(id))
  if (text === null) return null
  const stored = parsed(text)
  if (!storedRecord.Check(stored) || !belongsTo(stored, id)) return 'unreadable'
  if (stored.state === 'deleted') return tombstoneOf(stored)
  const { capture, versions, apart = null } = stored
  if (apart !== null) return keptOf(stored, await partsOf(store, id, apart))
  if (capture.segments === undefined || versions === undefined) return 'unreadable'
  return keptOf(stored, { segments: capture.segments, versions })
}

type Parts = Pick<StoredApart, 'segments' | 'versions'>
const NO_PARTS: Parts = { segments: [], versions: [] }

/** Earlier versions wrote the segments of long captures to a separate file. */
async function partsOf(
  store: Readable,
  id: string,
  { slot, revision }: { slot: 0 | 1; revision: number },
): Promise<Parts> {
  const found = await readParts(store, id, slot)
  return found?.revision === revision ? found : NO_PARTS
}

async function readParts(store: Readable, id: string, slot: 0 | 1): Promise<StoredApart | null> {
  const text = await textIn(store, segmentsPathOf(id, slot))
  const stored = text === null ? null : parsed(text)
  return storedApart.Check(stored) && stored.id === id ? stored : null
}

/** For a capture without a readable record: the newest segments and versions up to a revision. */
export async function newestParts(
  store: Readable,
  id: string,
  latest: number,
): Promise<{ segments: Capture['segments']; versions: CaptureVersion[] }> {
  const read = await Promise.all(SLOTS.map((slot) => readParts(store, id, slot)))
  const found = read.filter((parts) => parts !== null)
  const [newest = NO_PARTS] = found
    .filter(({ revision }) => revision <= latest)
    .toSorted((one, other) => other.revision - one.revision)
  return { segments: newest.segments, versions: newest.versions.map(versionOf) }
}

const textIn = async (store: Readable, path: string): Promise<string | null> =>
  (await store.read(path))?.toString() ?? null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
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
  { segments, versions }: Parts,
): CaptureRecord {
  const { capture, apart, lastJobId, lastBatchId = null, promised = null, shelved = null } = stored
  return {
    state: 'kept',
    capture: captureOf({
      ...capture,
      segments,
      corrections: capture.corrections ?? 0,
      recordedAt: capture.recordedAt ?? capture.createdAt,
      tags: capture.tags ?? [],
    }),
    versions: versions.map(versionOf),
    promised: promised && {
      ...requestOf(promised),
      jobId: promised.jobId,
      batchId: promised.batchId ?? null,
      createdAt: new Date(promised.createdAt),
    },
    shelved: shelved && requestOf(shelved),
    lastJobId,
    lastBatchId,
    isSplit: apart !== undefined && apart !== null,
  }
}

const captureOf = reviver(CaptureSchema.properties)
const versionOf = reviver(CaptureVersionSchema.properties)

/** Fills the fields that records of the first version lack. */
type StoredRequest = NonNullable<Extract<StoredRecord, { state: 'kept' }>['shelved']>

/** The request of a job. */
export const requestOf = (request: StoredRequest): StoredJobRequest => ({
  kind: request.kind ?? 'retranscribe',
  model: request.model,
  language: request.language,
  prompt: request.prompt,
  keepRefined: request.keepRefined,
  refinement: request.refinement ?? null,
})
