// The tables, as Drizzle sees them; `migrations/` is generated from this file.

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

/** Milliseconds, as in JavaScript: finer times would not equal those in the file beside the audio. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export type StoredError = { code: string; message: string }

export type StoredFlags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

/** The options of a refinement; null: as in the settings and the writing style. */
export type StoredRefinement = {
  /** false: no refinement */
  refine: boolean | null
  flags: Partial<StoredFlags> | null
  writingStyleId: string | null
  useLlm: boolean | null
  llmModel: string | null
}

/** The request of a job, without its state. */
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
    /** how many passages of the engine's text the dictionary replaced */
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
    tags: text('tags').array().notNull().default([]),
    trashedAt: moment('trashed_at'),
    processingMs: jsonb('processing_ms')
      .$type<{ decode: number | null; transcribe: number | null; refine: number | null }>()
      .notNull(),
    recordedAt: moment('recorded_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** the job that was cancelled by the trash; restoring the capture queues it again */
    shelved: jsonb('shelved').$type<StoredJobRequest>(),
    /** the revision in the copy beside the audio; null: the record there is not yet read into the database */
    copiedRevision: integer('copied_revision'),
  },
  (table) => [
    index('captures_newest').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('captures_audio').on(table.audioSha256),
    index('captures_unfinished').on(table.id).where(sql`status in ('pending', 'transcribing', 'refining')`),
    index('captures_uncopied').on(table.id).where(sql`copied_revision is distinct from revision`),
    index('captures_tagged').on(table.id).where(sql`tags <> '{}'`),
  ],
)

/** Separate from their captures, so that lists and small changes do not read or write them. */
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
    /** a user wrote it */
    byHand: boolean('by_hand').notNull(),
    /** a user wrote its replacement */
    replacedByHand: boolean('replaced_by_hand').notNull(),
    /** estimated size, for the removal of old versions */
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.captureId, table.number] })],
)

/**
 * The search and statistics columns of captures: a narrow row for each capture, which follows its row in `captures` and
 * outlives it. Nothing here is displayed.
 */
export const captureFacts = pgTable(
  'capture_facts',
  {
    id: uuid('id').primaryKey(),
    /** kept, trashed or gone; deleted captures only count in the statistics */
    place: text('place', { enum: ['kept', 'trashed', 'gone'] }).notNull(),
    recordedAt: moment('recorded_at').notNull(),
    /** `recorded_at` in whole quarters of an hour since 1970 */
    quarter: integer('quarter').notNull(),
    /** the properties by which the statistics group captures, in one text (see capture-facts.ts) */
    kind: text('kind').notNull(),
    wordCount: integer('word_count').notNull(),
    durationMs: integer('duration_ms'),
    corrections: integer('corrections').notNull(),
    /** as last saved: captures.status is ahead while a job works */
    status: text('status', { enum: captures.status.enumValues }).notNull(),
    source: text('source', { enum: captures.source.enumValues }).notNull(),
    /** detected, or requested if none was detected */
    language: text('language'),
    model: text('model'),
    /** both folded, and clipped because an index entry may have 2700 bytes */
    appName: text('app_name'),
    appId: text('app_id'),
    starred: boolean('starred').notNull(),
    /** folded */
    tags: text('tags').array().notNull().default([]),
    /** shows whether the next two columns have changed */
    searchDigest: text('search_digest').notNull(),
    searchText: text('search_text').notNull(),
    searchTerms: tsvector('search_terms').notNull(),
  },
  (table) => [
    // With all filter columns, so that counting reads only the index.
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
    // Without a pending list, which each search would have to read from the beginning.
    index('capture_facts_terms')
      .using('gin', table.searchTerms)
      .with({ fastupdate: false })
      .where(sql`place = 'kept'`),
    index('capture_facts_tags').using('gin', table.tags).with({ fastupdate: false }).where(sql`tags <> '{}'`),
    // Finds the captures of a day.
    index('capture_facts_counted').on(table.quarter).where(sql`place <> 'trashed'`),
  ],
)

/** Each `kind` that ever occurred in `capture_facts`, with a number that is short enough to store for each capture. */
export const captureKinds = pgTable('capture_kinds', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull().unique(),
})

/** The captures that count, as numbers in one text per day: a thousand rows are read faster than a hundred thousand. */
export const captureDays = pgTable('capture_days', {
  /** days of UTC since 1970-01-01 */
  day: integer('day').primaryKey(),
  /** see statistics.ts; null: a capture changed, and the text has to be rebuilt */
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
    /** options of the refinement; null: as in the settings when the job runs */
    refinement: jsonb('refinement').$type<StoredRefinement>(),
    /** the batch that requested it */
    batchId: uuid('batch_id'),
    /** options that could not be applied; null until it has ended */
    warnings: jsonb('warnings').$type<StoredError[]>(),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    // At most one unfinished job per capture, under any race.
    uniqueIndex('jobs_unfinished').on(table.captureId).where(sql`state in ('waiting', 'active')`),
    index('jobs_newest').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    index('jobs_capture').on(table.captureId),
    index('jobs_batch').on(table.batchId).where(sql`batch_id is not null`),
  ],
)

/** The statistics data of a deleted capture. */
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
    /** of its audio, until its files are erased; null afterwards */
    audioPath: text('audio_path'),
  },
  (table) => [
    index('deleted_captures_made').on(table.createdAt),
    index('deleted_captures_unerased').on(table.id).where(sql`audio_path is not null`),
  ],
)

/** A single row: the state of retention between starts. */
export const retentionNotes = pgTable('retention_notes', {
  id: integer('id').primaryKey(),
  /** the time of the last retention run by a trusted clock, in milliseconds since 1970 */
  seenAt: bigint('seen_at', { mode: 'number' }).notNull(),
  announced: jsonb('announced').$type<StoredAnnouncement>(),
})

/** A single row in the database of servers with a shared store, which identifies that store. */
export const storeNotes = pgTable('store_notes', {
  id: integer('id').primaryKey(),
  storeId: uuid('store_id').notNull(),
  /** whether everything that was in the store before is in the database */
  isFilled: boolean('is_filled').notNull().default(false),
})

/** The announced removal, the reason for the announcement, and the limits; `at` in milliseconds since 1970. */
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

/** Work on many captures at once: its request and its progress. */
export const batches = pgTable(
  'batches',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['retranscribe', 'delete'] }).notNull(),
    state: text('state', { enum: ['running', 'completed', 'canceled'] }).notNull(),
    /** the work for each capture; its shape depends on the kind */
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (table) => [index('batches_newest').on(table.createdAt.desc().nullsFirst())],
)

/** One capture of a batch. No foreign key to the capture: the item outlives it. */
export const batchItems = pgTable(
  'batch_items',
  {
    batchId: uuid('batch_id')
      .notNull()
      .references(() => batches.id, { onDelete: 'cascade' }),
    captureId: uuid('capture_id').notNull(),
    /** `queued` is running or next; `skipped` needed no work or could not be done */
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

/** States of an unfinished job. */
export const UNFINISHED_STATES = ['waiting', 'active'] satisfies JobRow['state'][]

export type BatchRow = typeof batches.$inferSelect
export type BatchItemRow = typeof batchItems.$inferSelect
export type CaptureRow = typeof captures.$inferSelect
export type CaptureFactsRow = typeof captureFacts.$inferSelect
export type JobRow = typeof jobs.$inferSelect
export type CaptureVersionRow = typeof captureVersions.$inferSelect
export type DeletedCaptureRow = typeof deletedCaptures.$inferSelect
