// The shape of the record beside the audio, which later versions must still read.

import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { jobs } from '../../db/schema.ts'
import { nullable, oneOf } from '../lib/schema.ts'
import { jsonMoment, jsonProperties } from '../lib/schema-mapping.ts'
import { CaptureSchema, CaptureVersionSchema } from './capture.ts'

const text = Type.String()
const maybeText = nullable(text)

const capture = {
  ...jsonProperties(CaptureSchema.properties),
  /** missing in records of the first version */
  corrections: Type.Optional(Type.Integer()),
  /** missing in records written before this field existed */
  recordedAt: Type.Optional(jsonMoment()),
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
export const storedApart = TypeCompiler.Compile(ApartSchema)

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

export const storedRecord = TypeCompiler.Compile(Stored)
