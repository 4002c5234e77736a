// The shape of the record beside the audio, which later versions of this program must still read.
// What a capture is, is capture.ts; reading and writing the record is record.ts.

import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { jsonMoment, jsonProperties } from '../lib/entity.ts'
import { nullable } from '../lib/schema.ts'
import { CaptureSchema } from './capture.ts'
import { ApartSchema, STORED_SEGMENTS } from './segments-apart.ts'

const text = Type.String()
const maybeText = nullable(text)

const capture = {
  ...jsonProperties(CaptureSchema.properties),
  /** records of the first version lack it */
  corrections: Type.Optional(Type.Integer()),
  /** records written before it could be told lack it */
  recordedAt: Type.Optional(jsonMoment()),
}
const { segments: _parted, ...withoutSegments } = capture
const { segments, versions } = STORED_SEGMENTS

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

const Job = Type.Object({
  jobId: text,
  kind: Type.Optional(text),
  model: maybeText,
  language: maybeText,
  prompt: maybeText,
  keepRefined: Type.Boolean(),
  refinement: Type.Optional(nullable(Refinement)),
  batchId: Type.Optional(maybeText),
  createdAt: jsonMoment(),
})
export type StoredJob = Static<typeof Job>

const Kept = Type.Object({
  format: Type.Literal(1),
  state: Type.Literal('kept'),
  /** of a long capture both are in a file of their own, which `apart` names */
  capture: Type.Object({ ...withoutSegments, segments: Type.Optional(segments) }),
  versions: Type.Optional(versions),
  apart: Type.Optional(nullable(ApartSchema)),
  /** the last job whose outcome this record holds: after a crash it is not done twice */
  lastJobId: maybeText,
  lastBatchId: Type.Optional(maybeText),
  /** work that was promised and is not done; records of the first version lack it */
  promised: Type.Optional(nullable(Job)),
  /** work that waits for the capture to come out of the trash */
  shelved: Type.Optional(nullable(Job)),
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
  /** what is unlinked after this was written */
  audioPath: text,
})

const Stored = Type.Union([Kept, Deleted])
export type StoredRecord = Static<typeof Stored>

export const storedRecord = TypeCompiler.Compile(Stored)
