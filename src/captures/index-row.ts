// The mapping between a capture and its rows. Segments have a separate row, so that listing a capture costs the same
// for every length.

import { createHash } from 'node:crypto'
import { type CapturePlace, kindText, quarterOf } from '../../db/capture-facts.ts'
import type { IndexedCapture } from '../../db/captures.ts'
import type { CaptureFactsRow, DeletedCaptureRow, StoredJobRequest } from '../../db/schema.ts'
import { atOnce, type Sliced } from '../lib/time-slice.ts'
import { fold } from '../text/fold.ts'
import { baseLanguage } from '../text/language-names.ts'
import { SEARCH_VERSION } from '../text/search-words.ts'
import type { Capture } from './capture.ts'
import { indexOf } from './search-terms.ts'

/** A capture as lists show it. */
export type CaptureSummary = Omit<Capture, 'segments'>

type RowParts = {
  shelved?: StoredJobRequest | null
  /** which segments are written; none by default */
  segments?: Capture['segments'] | undefined
}

/** Synchronous variant, for short captures and for work that no request waits for. */
export const toRow = (capture: Capture, parts?: RowParts): IndexedCapture =>
  atOnce(indexRow(capture, { segments: capture.segments, ...parts }))

export function* indexRow(
  { segments: _apart, ...capture }: Capture,
  { shelved = null, segments }: RowParts = {},
): Sliced<IndexedCapture> {
  const durationMs = capture.durationMs === null ? null : Math.round(capture.durationMs)
  const row = { ...capture, durationMs, shelved, copiedRevision: 0 }
  return { capture: withoutNul(row), segments, facts: withoutNul(yield* factsIn(row)) }
}

/**
 * Above two kilobytes Postgres stores a row's long values outside the row. The rows that a search counts then fit into
 * the memory of the embedded database even with 100,000 captures; otherwise half of its time goes into reading them
 * again.
 */
const LEAST_TEXT_BYTES = 2048
/** A title alone, the only text before the transcription, is narrow enough. */
const NARROW_TEXT_BYTES = 100

function padded(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes <= NARROW_TEXT_BYTES ? text : text + ' '.repeat(Math.max(0, LEAST_TEXT_BYTES - bytes))
}

const MAX_APP_LENGTH = 200

/** The form in which names and ids of applications are compared. */
export const appFilterText = (app: string): string => fold(app).slice(0, MAX_APP_LENGTH).toWellFormed()

/** The language that searches and statistics use. */
const languageOf = ({ detectedLanguage, language }: CaptureSummary): string | null =>
  detectedLanguage ?? (language && baseLanguage(language))

/** The columns that searches and statistics use. */
export const factsOf = (capture: CaptureSummary): CaptureFactsRow => atOnce(factsIn(capture))

function* factsIn(capture: CaptureSummary): Sliced<CaptureFactsRow> {
  const { id, recordedAt, wordCount, durationMs, corrections, status, source, starred, appId, appName } =
    capture
  const language = languageOf(capture)
  const model = capture.sttModel
  const title = capture.title ?? capture.fileName ?? ''
  const { searchText: text, searchTerms } = yield* indexOf(title, [
    capture.transcriptRefined ?? '',
    capture.transcriptRaw,
  ])
  const searchText = padded(text)
  const refined = capture.transcriptRefined !== null
  return {
    id,
    recordedAt,
    wordCount,
    durationMs,
    corrections,
    // While a job works the status stays "pending", since each change of it would write this row again.
    status: status === 'transcribing' || status === 'refining' ? 'pending' : status,
    source,
    starred,
    language,
    model,
    place: (capture.trashedAt === null ? 'kept' : 'trashed') satisfies CapturePlace,
    quarter: quarterOf(recordedAt),
    kind: kindText({ source, failed: status === 'failed', refined, language, model, appId, appName }),
    appName: appName === null ? null : appFilterText(appName),
    appId: appId === null ? null : appFilterText(appId),
    searchText,
    searchTerms,
    searchDigest: `${SEARCH_VERSION}:${createHash('sha1').update(searchText).update(searchTerms).digest('base64')}`,
  }
}

export function toRemains(capture: Capture, deletedAt: Date): DeletedCaptureRow {
  const { id, source, status, wordCount, corrections, durationMs, sttModel, appName, appId } = capture
  const { createdAt, recordedAt } = capture
  return withoutNul({
    id,
    source,
    status,
    wordCount,
    corrections,
    durationMs,
    sttModel,
    appName,
    appId,
    createdAt,
    recordedAt,
    deletedAt,
    language: languageOf(capture),
    refined: capture.transcriptRefined !== null,
    audioPath: capture.audioPath,
  })
}

/** Postgres cannot store NUL in text. */
function withoutNul<T extends object>(row: T): T {
  const cleaned = Object.entries(row).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  ])
  return Object.fromEntries(cleaned) as T
}
