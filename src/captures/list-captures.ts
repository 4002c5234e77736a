// Lists captures by words and filters, and shows where the words matched.

import type { Database } from '../../db/database.ts'
import {
  CAPTURE_SORTS,
  type CaptureConditions,
  type CaptureSort,
  searchCaptures,
  type TextQuery,
} from '../../db/search.ts'
import { highlight } from './highlight.ts'
import { appFilterText, type CaptureSummary } from './index-row.ts'
import { parseQuery } from './search-query.ts'

export { CAPTURE_SORTS }

/** A selection in user terms: words as typed, and application names in any case. */
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
