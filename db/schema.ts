// The tables, as Drizzle sees them; `migrations/` is made from this file.
// Rows only: what they mean to a person is said in src/captures and src/jobs. Those of the writing are writing-schema.ts.

import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Milliseconds, as JavaScript counts them: finer times would not compare equal with the file beside the audio. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export type StoredError = { code: string; message: string }

export type StoredFlags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

/** What was asked for when a text was to be refined; null is as the settings and the writing style say. */
export type StoredRefinement = {
  /** false: leave the text alone */
  refine: boolean | null
  flags: Partial<StoredFlags> | null
  writingStyleId: string | null
  useLlm: boolean | null
  llmModel: string | null
}

/** A job as it was asked for, without its state. */
export type StoredJobRequest = {
  kind: 'transcribe' | 'retranscribe' | 'refine'
  model: string | null
  language: string | null
  prompt: string | null
  keepRefined: boolean
  refinement: StoredRefinement | null
}

export type StoredSegment = {
  startMs: number
  endMs: number
  text: string
  language?: string
  avgLogprob: number | null
  noSpeechProb: number | null
  words: { word: string; startMs: number; endMs: number; probability: number | null }[]
}

export const captures = pgTable(
  'captures',
  {
    id: uuid('id').primaryKey(),
    revision: integer('revision').notNull(),
    source: text('source', { enum: ['dictation', 'recording', 'file'] }).notNull(),
    status: text('status', {
      enum: ['pending', 'transcribing', 'refining', 'completed', 'failed', 'canceled'],
    }).notNull(),
    error: jsonb('error').$type<StoredError>(),
    language: text('language'),
    detectedLanguage: text('detected_language'),
    languageProbability: doublePrecision('language_probability'),
    durationMs: integer('duration_ms'),
    transcriptRaw: text('transcript_raw').notNull(),
    transcriptEngine: text('transcript_engine').notNull(),
    transcriptRefined: text('transcript_refined'),
    refinementStatus: text('refinement_status', { enum: ['none', 'rules', 'llm', 'llm_failed'] }).notNull(),
    refinementFlags: jsonb('refinement_flags').$type<StoredFlags>(),
    sttModel: text('stt_model'),
    llmModel: text('llm_model'),
    writingStyleId: uuid('writing_style_id'),
    wordCount: integer('word_count').notNull(),
    /** how many passages of the engine's text the dictionary changed */
    corrections: integer('corrections').notNull().default(0),
    audioPath: text('audio_path').notNull(),
    audioAvailable: boolean('audio_available').notNull(),
    audioBytes: bigint('audio_bytes', { mode: 'number' }).notNull(),
    audioSha256: text('audio_sha256').notNull(),
    audioType: text('audio_type').notNull(),
    title: text('title'),
    fileName: text('file_name'),
    appName: text('app_name'),
    appId: text('app_id'),
    appUrl: text('app_url'),
    windowTitle: text('window_title'),
    starred: boolean('starred').notNull(),
    trashedAt: moment('trashed_at'),
    processingMs: jsonb('processing_ms')
      .$type<{ decode: number | null; transcribe: number | null; refine: number | null }>()
      .notNull(),
    recordedAt: moment('recorded_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** the job that the trash took away, which restoring the capture asks for again */
    shelved: jsonb('shelved').$type<StoredJobRequest>(),
    /** the revision that the copy beside the audio holds; null: the record there is still to be read into the database */
    copiedRevision: integer('copied_revision'),
  },
  (table) => [
    index('captures_newest').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('captures_audio').on(table.audioSha256),
    index('captures_unfinished').on(table.id).where(sql`status in ('pending', 'transcribing', 'refining')`),
    index('captures_uncopied').on(table.id).where(sql`copied_revision is distinct from revision`),
  ],
)

/** Apart from their captures, so that lists and small changes do not touch them. */
export const captureSegments = pgTable('capture_segments', {
  captureId: uuid('capture_id')
    .primaryKey()
    .references(() => captures.id, { onDelete: 'cascade' }),
  /** `json` stores every character, which `jsonb` does not */
  segments: json('segments').$type<StoredSegment[]>().notNull(),
})

/** Earlier states of a capture's transcript. */
export const captureVersions = pgTable(
  'capture_versions',
  {
    captureId: uuid('capture_id')
      .notNull()
      .references(() => captures.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    sttModel: text('stt_model'),
    language: text('language'),
    detectedLanguage: text('detected_language'),
    transcriptRaw: text('transcript_raw').notNull(),
    transcriptEngine: text('transcript_engine').notNull(),
    transcriptRefined: text('transcript_refined'),
    segments: json('segments').$type<StoredSegment[]>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** a person wrote it */
    byHand: boolean('by_hand').notNull(),
    /** a person wrote what replaced it */
    replacedByHand: boolean('replaced_by_hand').notNull(),
    /** roughly what it takes, by which old versions are removed */
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.captureId, table.number] })],
)

/**
 * What captures are found, sorted and counted by: a narrow row for each capture there ever was, which follows its row
 * in `captures` and outlives it. Nothing here is shown.
 */
export const captureFacts = pgTable(
  'capture_facts',
  {
    id: uuid('id').primaryKey(),
    /** kept, trashed or gone; what is gone only counts */
    place: text('place', { enum: ['kept', 'trashed', 'gone'] }).notNull(),
    recordedAt: moment('recorded_at').notNull(),
    /** `recorded_at` in whole quarters of an hour since 1970 */
    quarter: integer('quarter').notNull(),
    /** by what the statistics tell captures apart, in one text (see capture-facts.ts) */
    kind: text('kind').notNull(),
    wordCount: integer('word_count').notNull(),
    durationMs: integer('duration_ms'),
    corrections: integer('corrections').notNull(),
    /** as it was last saved: captures.status runs ahead while a job works */
    status: text('status', { enum: captures.status.enumValues }).notNull(),
    source: text('source', { enum: captures.source.enumValues }).notNull(),
    /** detected, or asked for where nothing was detected */
    language: text('language'),
    model: text('model'),
    /** both folded, and clipped because an entry of an index may have 2700 bytes */
    appName: text('app_name'),
    appId: text('app_id'),
    starred: boolean('starred').notNull(),
    /** tells whether the two that follow have changed */
    searchDigest: text('search_digest').notNull(),
    searchText: text('search_text').notNull(),
    searchTerms: tsvector('search_terms').notNull(),
  },
  (table) => [
    // With all that lists are filtered by, so that counting reads nothing else.
    index('capture_facts_newest')
      .on(
        table.recordedAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
        ...[
          table.source,
          table.status,
          table.language,
          table.model,
          table.appName,
          table.appId,
          table.starred,
        ],
      )
      .where(sql`place = 'kept'`),
    index('capture_facts_trashed')
      .on(table.recordedAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`place = 'trashed'`),
    // Without a list of what is not in it yet, which each search would have to read from the beginning.
    index('capture_facts_terms')
      .using('gin', table.searchTerms)
      .with({ fastupdate: false })
      .where(sql`place = 'kept'`),
    // Finds the captures of a day.
    index('capture_facts_counted').on(table.quarter).where(sql`place <> 'trashed'`),
  ],
)

/** Each `kind` there ever was in `capture_facts`, with a number that is short enough to be written for each capture. */
export const captureKinds = pgTable('capture_kinds', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull().unique(),
})

/** The captures that count, as numbers in one text for each day: a thousand rows are read faster than a hundred thousand. */
export const captureDays = pgTable('capture_days', {
  /** days of UTC since 1970-01-01 */
  day: integer('day').primaryKey(),
  /** see statistics.ts; null: something changed, and it is to be put together anew */
  facts: text('facts'),
})

export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['transcribe', 'retranscribe', 'refine'] }).notNull(),
    captureId: uuid('capture_id')
      .notNull()
      .references(() => captures.id, { onDelete: 'cascade' }),
    state: text('state', { enum: ['waiting', 'active', 'completed', 'failed', 'canceled'] }).notNull(),
    progress: doublePrecision('progress').notNull(),
    attempts: integer('attempts').notNull(),
    error: jsonb('error').$type<StoredError>(),
    model: text('model'),
    language: text('language'),
    prompt: text('prompt'),
    keepRefined: boolean('keep_refined').notNull(),
    /** how the text is to be refined; null is as the settings say when the job runs */
    refinement: jsonb('refinement').$type<StoredRefinement>(),
    /** the batch that asked for it */
    batchId: uuid('batch_id'),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    // One unfinished job for a capture, whatever races.
    uniqueIndex('jobs_unfinished').on(table.captureId).where(sql`state in ('waiting', 'active')`),
    index('jobs_newest').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('jobs_capture').on(table.captureId),
    index('jobs_batch').on(table.batchId).where(sql`batch_id is not null`),
  ],
)

/** What the statistics need of a capture that is gone. */
export const deletedCaptures = pgTable(
  'deleted_captures',
  {
    id: uuid('id').primaryKey(),
    source: text('source', { enum: captures.source.enumValues }).notNull(),
    status: text('status', { enum: captures.status.enumValues }).notNull(),
    wordCount: integer('word_count').notNull(),
    durationMs: integer('duration_ms'),
    sttModel: text('stt_model'),
    language: text('language'),
    appName: text('app_name'),
    appId: text('app_id'),
    refined: boolean('refined').notNull(),
    corrections: integer('corrections').notNull().default(0),
    recordedAt: moment('recorded_at').notNull(),
    createdAt: moment('created_at').notNull(),
    deletedAt: moment('deleted_at').notNull(),
    /** of its audio, while its files are still to be erased; null afterwards */
    audioPath: text('audio_path'),
  },
  (table) => [
    index('deleted_captures_made').on(table.createdAt),
    index('deleted_captures_unerased').on(table.id).where(sql`audio_path is not null`),
  ],
)

/** A single row: what retention remembers from one start to the next. */
export const retentionNotes = pgTable('retention_notes', {
  id: integer('id').primaryKey(),
  /** the time when retention last ran by a clock that went steadily, in milliseconds since 1970 */
  seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
  announced: jsonb('announced').$type<StoredAnnouncement>(),
})

/** What is going to be removed, why it is announced first, and by which limits; `at` in milliseconds since 1970. */
export type StoredAnnouncement = {
  at: number
  why: 'many' | 'clock'
  captures: number
  audio: number
  limits: {
    trashDays: number
    retentionDays: number | null
    audioRetentionDays: number | null
    maxCaptures: number | null
  }
}

/** Work on many captures at once: what was asked for, and how far it is. */
export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['retranscribe', 'delete'] }).notNull(),
    state: text('state', { enum: ['running', 'completed', 'canceled'] }).notNull(),
    /** what each capture is to undergo; its shape belongs to the kind */
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [index('batches_newest').on(table.createdAt.desc().nullsFirst())],
)

/** One capture of a batch. No foreign key to it: what was done to a capture outlives the capture. */
export const batchItems = pgTable(
  'batch_items',
  {
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    captureId: uuid('capture_id').notNull(),
    /** `queued` is the one that is being worked on, or is next; `skipped` needed nothing or could not be done */
    state: text('state', {
      enum: ['waiting', 'queued', 'completed', 'failed', 'skipped', 'canceled'],
    }).notNull(),
    jobId: uuid('job_id'),
    error: jsonb('error').$type<StoredError>(),
  },
  (table) => [
    primaryKey({ columns: [table.batchId, table.captureId] }),
    index('batch_items_unfinished')
      .on(table.batchId, table.captureId)
      .where(sql`state in ('waiting', 'queued')`),
  ],
)

/** States of a job on which something is still to be done. */
export const UNFINISHED_STATES = ['waiting', 'active'] satisfies JobRow['state'][]

export type BatchRow = typeof batches.$inferSelect
export type BatchItemRow = typeof batchItems.$inferSelect
export type CaptureRow = typeof captures.$inferSelect
export type CaptureFactsRow = typeof captureFacts.$inferSelect
export type JobRow = typeof jobs.$inferSelect
export type CaptureVersionRow = typeof captureVersions.$inferSelect
export type DeletedCaptureRow = typeof deletedCaptures.$inferSelect
