// Lists captures by words and filters, and shows where the words were found.
// Checking what a client asked for is http/'s; the query is db/search.ts.

import type { Database } from '../../db/database.ts'
import {
  CAPTURE_SORTS,
  type CaptureConditions,
  type CaptureFilter,
  type CaptureSort,
  searchCaptures,
} from '../../db/search.ts'
import type { CaptureSource, CaptureStatus } from './capture.ts'
import { highlight } from './highlight.ts'
import { appFilterText, type CaptureSummary, fromRow } from './index-row.ts'
import { parseQuery } from './search-text.ts'

export { CAPTURE_SORTS }

/** Which captures are meant; what is not given narrows nothing. */
export type CapturesMeant = {
  q?: string | undefined
  source?: CaptureSource | undefined
  /** name or id of an application, whatever the case */
  app?: string | undefined
  /** ISO 639-1 */
  language?: string | undefined
  status?: CaptureStatus | undefined
  model?: string | undefined
  /** of the recording, in lower case hex */
  audioSha256?: string | undefined
  /** created at this time or later */
  since?: Date | undefined
  /** created before this time */
  until?: Date | undefined
  starred?: boolean | undefined
  /** those in the trash, and no others; by default those that are not */
  trashed?: boolean | undefined
}

export type CaptureQuery = CapturesMeant & {
  /** by default relevance where words are looked for, else the newest first */
  sort?: CaptureSort | undefined
  limit: number
  offset: number
}

/** `highlight` is HTML, escaped but for `<mark>`; null where no words were asked for or found. */
export type FoundCapture = CaptureSummary & { highlight: string | null }

export async function listCaptures(
  database: Database,
  query: CaptureQuery,
): Promise<{ items: FoundCapture[]; total: number }> {
  const words = wordsOf(query)
  const filter: CaptureFilter = {
    ...conditionsOf(query),
    sort: query.sort ?? (words === null ? '-created_at' : 'relevance'),
    limit: query.limit,
    offset: query.offset,
  }
  const { rows, total } = await database.transaction((tx) => searchCaptures(tx, filter))
  const items = rows.map(fromRow).map((capture) => ({
    ...capture,
    highlight: words === null ? null : highlightOf(capture, words.shown),
  }))
  return { items, total }
}

const wordsOf = ({ q }: CapturesMeant) => (q === undefined ? null : parseQuery(q))

/** What the database is asked, whoever asks: one page of a list, or work on all that are meant. */
export const conditionsOf = (query: CapturesMeant): CaptureConditions => ({
  text: wordsOf(query)?.query ?? null,
  source: query.source ?? null,
  app: query.app === undefined ? null : appFilterText(query.app),
  language: query.language ?? null,
  status: query.status ?? null,
  model: query.model ?? null,
  audioSha256: query.audioSha256 ?? null,
  since: query.since ?? null,
  until: query.until ?? null,
  starred: query.starred ?? null,
  trashed: query.trashed ?? false,
})

function highlightOf(capture: CaptureSummary, shown: RegExp[]): string | null {
  const texts = [capture.transcriptRefined, capture.transcriptRaw, capture.title ?? capture.fileName]
  for (const text of texts) {
    const html = text === null ? null : highlight(text, shown)
    if (html !== null) return html
  }
  return null
}
