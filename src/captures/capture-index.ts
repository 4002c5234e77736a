// How captures are indexed and listed: the row with its search text, a page of the list, and selections by filter.

import { createHash } from 'node:crypto'
import { type CapturePlace, kindText, quarterOf } from '../../db/capture-facts.ts'
import { idsMeant, idsThere } from '../../db/capture-ids.ts'
import type { IndexedCapture } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { CaptureFactsRow, DeletedCaptureRow, StoredJobRequest } from '../../db/schema.ts'
import {
  CAPTURE_SORTS,
  type CaptureConditions,
  type CaptureSort,
  searchCaptures,
  type TextQuery,
} from '../../db/search.ts'
import { fold } from '../text/fold.ts'
import { baseLanguage } from '../text/language-names.ts'
import { SEARCH_VERSION } from '../text/search-words.ts'
import type { Capture } from './capture.ts'
import { highlight, indexOf, parseQuery } from './search.ts'
import { tagKey } from './tags.ts'

/** A capture as lists show it. */
export type CaptureSummary = Omit<Capture, 'segments'>

type RowParts = {
  shelved?: StoredJobRequest | null
  /** which segments are written: all by default, none if undefined */
  segments?: Capture['segments'] | undefined
}

export async function toRow(whole: Capture, parts: RowParts = {}): Promise<IndexedCapture> {
  const { segments, ...capture } = whole
  const { shelved = null, ...written } = { segments, ...parts }
  const durationMs = capture.durationMs === null ? null : Math.round(capture.durationMs)
  const row = { ...capture, durationMs, shelved, copiedRevision: 0 }
  return { capture: withoutNul(row), ...written, facts: withoutNul(await factsOf(row)) }
}

/**
 * Above two kilobytes Postgres stores a row's long values outside the row. The rows that a search counts then fit into
 * the memory of the embedded database even with 100,000 captures; otherwise half of its time goes into reading them
 * again.
 */
const MIN_TEXT_BYTES = 2048
/** A title alone, the only text before the transcription, is narrow enough. */
const NARROW_TEXT_BYTES = 100

function padded(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes <= NARROW_TEXT_BYTES ? text : text + ' '.repeat(Math.max(0, MIN_TEXT_BYTES - bytes))
}

const MAX_APP_LENGTH = 200

/** The form in which names and ids of applications are compared. */
const appFilterText = (app: string): string => fold(app).slice(0, MAX_APP_LENGTH).toWellFormed()

/** The language that searches and statistics use. */
const languageOf = ({ detectedLanguage, language }: CaptureSummary): string | null =>
  detectedLanguage ?? (language && baseLanguage(language))

/** The columns that searches and statistics use. */
export async function factsOf(capture: CaptureSummary): Promise<CaptureFactsRow> {
  const { id, recordedAt, wordCount, durationMs, corrections, status, source, starred, tags } = capture
  const { appId, appName } = capture
  const language = languageOf(capture)
  const model = capture.sttModel
  const title = capture.title ?? capture.fileName ?? ''
  const { searchText: text, searchTerms } = await indexOf(title, [
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
    tags: tags.map(tagKey),
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

export { CAPTURE_SORTS }

/** A selection in user terms: words as typed, and application names and tags in any case. */
export type CapturesMeant = Omit<CaptureConditions, 'text'> & { q?: string | undefined }

export type CaptureQuery = CapturesMeant & {
  /** by default relevance if words are searched, otherwise newest first */
  sort?: CaptureSort | undefined
  /** false: count only far enough to know whether there is another page; true by default */
  isCounted?: boolean | undefined
  limit: number
  offset: number
}

/** `highlight` is HTML, escaped except for `<mark>`; null if no words were searched or found. */
export type FoundCapture = CaptureSummary & { highlight: string | null }

export async function listCaptures(
  database: Database,
  query: CaptureQuery,
): Promise<{ items: FoundCapture[]; total: number }> {
  const { q, limit, offset, ...others } = query
  const words = q === undefined ? null : parseQuery(q)
  const sort = query.sort ?? (words === null ? '-recorded_at' : 'relevance')
  const filter = { ...conditions(others, words?.query), sort, limit, offset }
  const { rows, total } = await database.transaction((tx) => searchCaptures(tx, filter))
  const items = rows.map((capture) => ({
    ...capture,
    highlight: words && (highlightOf(capture, words.shown) ?? highlightOf(capture, words.nearlyShown)),
  }))
  return { items, total }
}

/** The database query for a selection, for one page of a list and for work on all matches. */
export const captureConditions = ({ q, ...others }: CapturesMeant): CaptureConditions =>
  conditions(others, q === undefined ? undefined : parseQuery(q)?.query)

const conditions = (others: Omit<CapturesMeant, 'q'>, text: TextQuery | undefined): CaptureConditions => ({
  ...others,
  app: others.app === undefined ? undefined : appFilterText(others.app),
  tag: others.tag === undefined ? undefined : tagKey(others.tag),
  text,
})

function highlightOf(capture: CaptureSummary, shown: RegExp[]): string | null {
  const texts = [capture.transcriptRefined, capture.transcriptRaw, capture.title ?? capture.fileName]
  for (const text of texts) {
    const html = text === null ? null : highlight(text, shown)
    if (html !== null) return html
  }
  return null
}

export type CaptureSelection = { ids: string[] } | { meant: CapturesMeant }

/** Ids are held in memory, 100 bytes each. `missing` are the requested ids that do not exist. */
export async function idsOf(
  database: Database,
  which: CaptureSelection,
): Promise<{ ids: string[]; missing: string[] }> {
  if ('meant' in which)
    return { ids: await database.run((orm) => idsMeant(orm, captureConditions(which.meant))), missing: [] }
  const wanted = [...new Set(which.ids.map((id) => id.toLowerCase()))]
  const ids = await database.run((orm) => idsThere(orm, wanted))
  const there = new Set(ids)
  return { ids, missing: wanted.filter((id) => !there.has(id)) }
}
