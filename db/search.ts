// Lists captures by their words and by filters.
// What counts as a word, and folding it, is done before (src/captures/search-text.ts).

import { and, asc, count, desc, eq, gte, ilike, lt, or, type SQL, sql } from 'drizzle-orm'
import { captureColumns } from './captures.ts'
import type { Orm } from './database.ts'
import { type CaptureRow, captures } from './schema.ts'

export const CAPTURE_SORTS = [
  'relevance',
  '-created_at',
  'created_at',
  '-duration_ms',
  'duration_ms',
  '-word_count',
  'word_count',
] as const
export type CaptureSort = (typeof CAPTURE_SORTS)[number]

/**
 * What is looked for, folded; all of it must be found. `tsquery` (in Postgres's syntax) and `words` are the same words
 * and phrases twice, either way of finding them is enough; `fragments` stand anywhere in the text.
 */
export type TextQuery = {
  tsquery: string | null
  /** `pattern` is a regular expression that says where the text may begin and end */
  words: { text: string; pattern: string }[]
  fragments: string[]
}

export type CaptureConditions = {
  text: TextQuery | null
  source: string | null
  /** name or id of an application, whatever the case */
  app: string | null
  /** detected, or asked for where nothing was detected */
  language: string | null
  status: string | null
  model: string | null
  since: Date | null
  until: Date | null
  starred: boolean | null
}

export type CaptureFilter = CaptureConditions & {
  sort: CaptureSort
  limit: number
  offset: number
}

export async function searchCaptures(
  orm: Orm,
  filter: CaptureFilter,
): Promise<{ rows: CaptureRow[]; total: number }> {
  const where = and(...conditionsOf(filter))
  const rows = await orm
    .select(captureColumns)
    .from(captures)
    .where(where)
    .orderBy(...orderOf(filter))
    .limit(filter.limit)
    .offset(filter.offset)
  const [all] = await orm.select({ count: count() }).from(captures).where(where)
  return { rows, total: all?.count ?? 0 }
}

/** What a row of `captures` must fulfil. */
export function conditionsOf(filter: CaptureConditions): SQL[] {
  const { text, app, language } = filter
  const conditions: (SQL | undefined)[] = [sql`${captures.trashedAt} is null`]
  if (text !== null) conditions.push(matches(text))
  if (filter.source !== null) conditions.push(eq(captures.source, filter.source))
  if (filter.status !== null) conditions.push(eq(captures.status, filter.status))
  if (filter.model !== null) conditions.push(eq(captures.sttModel, filter.model))
  if (filter.since !== null) conditions.push(gte(captures.createdAt, filter.since))
  if (filter.until !== null) conditions.push(lt(captures.createdAt, filter.until))
  if (filter.starred !== null) conditions.push(eq(captures.starred, filter.starred))
  if (language !== null)
    conditions.push(sql`coalesce(${captures.detectedLanguage}, ${captures.language}) = ${language}`)
  if (app !== null) {
    const pattern = literally(app)
    conditions.push(or(ilike(captures.appName, pattern), ilike(captures.appId, pattern)))
  }
  return conditions.filter((condition) => condition !== undefined)
}

/**
 * Words are found by the index of words, and by their letters where that one has another idea of a word (an address,
 * a quotation mark it takes for a letter) or ends before the text does; scripts without spaces by their letters alone.
 */
function matches({ tsquery, words, fragments }: TextQuery): SQL | undefined {
  const asFragments = and(...fragments.map(containing))
  if (tsquery === null) return asFragments
  const asWords = words.map(({ text, pattern }) =>
    // The first condition is what the index of letters can answer quickly.
    and(containing(text), sql`${captures.searchText} ~ ${pattern}`),
  )
  return and(
    or(sql`${captures.searchVector} @@ to_tsquery('simple', ${tsquery})`, and(...asWords)),
    asFragments,
  )
}

const containing = (text: string): SQL => sql`${captures.searchText} like ${`%${literally(text)}%`}`

const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function orderOf({ sort, text }: CaptureFilter): SQL[] {
  const newest = [desc(captures.createdAt), desc(captures.id)]
  switch (sort) {
    case 'relevance':
      return text === null || text.tsquery === null
        ? newest
        : [
            sql`ts_rank(${captures.searchVector}, to_tsquery('simple', ${text.tsquery})) desc nulls last`,
            ...newest,
          ]
    case '-created_at':
      return newest
    case 'created_at':
      return [asc(captures.createdAt), asc(captures.id)]
    case '-duration_ms':
      return [sql`${captures.durationMs} desc nulls last`, ...newest]
    case 'duration_ms':
      return [sql`${captures.durationMs} asc nulls last`, ...newest]
    case '-word_count':
      return [desc(captures.wordCount), ...newest]
    case 'word_count':
      return [asc(captures.wordCount), ...newest]
  }
}
