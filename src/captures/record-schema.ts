// The shape of the record beside the audio, which later versions of this program must still read.
// Reading and writing it is record.ts.

import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { CAPTURE_SOURCES, CAPTURE_STATUSES, REFINEMENT_STATUSES } from './capture.ts'

const literals = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map((value) => Type.Literal(value))))
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const text = Type.String()
const maybeText = nullable(text)
const count = Type.Integer({ minimum: 0 })
const maybeCount = nullable(count)
const maybeNumber = nullable(Type.Number())
/** As JSON.stringify writes a Date. */
export const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

const Segment = Type.Object({
  startMs: Type.Number(),
  endMs: Type.Number(),
  text,
  avgLogprob: maybeNumber,
  noSpeechProb: maybeNumber,
  language: Type.Optional(text),
  words: Type.Array(
    Type.Object({ word: text, startMs: Type.Number(), endMs: Type.Number(), probability: maybeNumber }),
  ),
})

const Flags = Type.Object({
  smartCleanup: Type.Boolean(),
  selfCorrection: Type.Boolean(),
  preserveTechnical: Type.Boolean(),
})

const StoredCapture = Type.Object({
  id: text,
  revision: count,
  source: literals(CAPTURE_SOURCES),
  status: literals(CAPTURE_STATUSES),
  error: nullable(Type.Object({ code: text, message: text })),
  language: maybeText,
  detectedLanguage: maybeText,
  languageProbability: maybeNumber,
  durationMs: maybeCount,
  transcriptRaw: text,
  transcriptEngine: text,
  transcriptRefined: maybeText,
  refinementStatus: literals(REFINEMENT_STATUSES),
  sttModel: maybeText,
  llmModel: maybeText,
  refinementFlags: nullable(Flags),
  writingStyleId: maybeText,
  wordCount: count,
  /** records of the first version lack it */
  corrections: Type.Optional(count),
  audioPath: text,
  audioAvailable: Type.Boolean(),
  audioBytes: count,
  audioSha256: text,
  audioType: text,
  title: maybeText,
  fileName: maybeText,
  appName: maybeText,
  appId: maybeText,
  appUrl: maybeText,
  windowTitle: maybeText,
  starred: Type.Boolean(),
  trashedAt: nullable(time),
  processingMs: Type.Object({ decode: maybeNumber, transcribe: maybeNumber, refine: maybeNumber }),
  segments: Type.Array(Segment),
  createdAt: time,
  updatedAt: time,
})

const StoredVersion = Type.Object({
  number: count,
  sttModel: maybeText,
  language: maybeText,
  detectedLanguage: maybeText,
  transcriptRaw: text,
  transcriptEngine: text,
  transcriptRefined: maybeText,
  segments: Type.Array(Segment),
  createdAt: time,
})

const Refinement = Type.Object({
  refine: nullable(Type.Boolean()),
  flags: nullable(Type.Partial(Flags)),
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
  createdAt: time,
})
export type StoredJob = Static<typeof Job>

const Kept = Type.Object({
  format: Type.Literal(1),
  state: Type.Literal('kept'),
  capture: StoredCapture,
  versions: Type.Array(StoredVersion),
  /** the last job whose outcome this record holds: after a crash it is not done twice */
  lastJobId: maybeText,
  lastBatchId: Type.Optional(maybeText),
  /** work that was promised and is not done; records of the first version lack it */
  promised: Type.Optional(nullable(Job)),
  /** work that waits for the capture to come out of the trash */
  shelved: Type.Optional(nullable(Job)),
})

const Deleted = Type.Object({
  format: Type.Literal(1),
  state: Type.Literal('deleted'),
  remains: Type.Object({
    id: text,
    source: literals(CAPTURE_SOURCES),
    status: literals(CAPTURE_STATUSES),
    wordCount: count,
    durationMs: maybeCount,
    sttModel: maybeText,
    language: maybeText,
    appName: maybeText,
    appId: maybeText,
    refined: Type.Boolean(),
    corrections: Type.Optional(count),
    createdAt: time,
    deletedAt: time,
  }),
  /** what is unlinked after this was written */
  audioPath: text,
})

const Stored = Type.Union([Kept, Deleted])
export type StoredRecord = Static<typeof Stored>

export const storedRecord = TypeCompiler.Compile(Stored)
