// Lists captures by words and filters. src/captures/search.ts parses and folds the words; the searched rows are
// in capture-facts.ts.

import { and, arrayContains, asc, count, desc, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import { isPlace } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { type CaptureRow, captureFacts, captures } from './schema.ts'

export const CAPTURE_SORTS = [
  'relevance',
  '-recorded_at',
  'recorded_at',
  '-created_at',
  'created_at',
  '-duration_ms',
  'duration_ms',
  '-word_count',
  'word_count',
] as const
export type CaptureSort = (typeof CAPTURE_SORTS)[number]

/** The search terms, folded; a match contains all of them. */
export type TextQuery = {
  /** a tsquery that the index of terms answers without reading the texts */
  terms: string
  /** further strings that the text must contain */
  texts: string[]
  /** the tsquery for ranking matches; null: no ranking */
  rankedBy: string | null
  /** a tsquery that only some matches fulfil; those rank higher */
  betterWith: string | null
  /** a tsquery for the matches that come before all others; null: `terms` finds no more */
  bestWith: string | null
  /** variants for typing errors, all of which must match, in the form of `terms`; null: none */
  nearly: readonly NearTerm[] | null
  /** a tsquery that no match may fulfil */
  except?: string
  /** groups of alternatives, each with strings that the text must contain; a match fulfils one of each group */
  oneOf?: readonly (readonly Alternative[])[]
}

export type Alternative = { terms: string; texts: readonly string[] }

/** `terms` is a tsquery; each of `variants`, of which the texts contain few or none, is an alternative. */
export type NearTerm = { terms: string; variants: readonly string[] }

/** Selects captures; a missing field does not filter. */
export type CaptureConditions = {
  text?: TextQuery | undefined
  source?: CaptureRow['source'] | undefined
  /** folded name or id of an application */
  app?: string | undefined
  /** ISO 639-1: detected, or requested if none was detected */
  language?: string | undefined
  status?: CaptureRow['status'] | undefined
  model?: string | undefined
  /** of the recording, in lower case hex */
  audioSha256?: string | undefined
  /** the last characters of the id, in lower case */
  idTail?: string | undefined
  /** recorded at this time or later */
  since?: Date | undefined
  /** recorded before this time */
  until?: Date | undefined
  starred?: boolean | undefined
  /** folded */
  tag?: string | undefined
  /** only those in the trash; by default only those that are not */
  trashed?: boolean | undefined
}

export type CaptureFilter = CaptureConditions & {
  sort: CaptureSort
  /** false: count only far enough to know whether there is another page; true by default */
  isCounted?: boolean | undefined
  limit: number
  offset: number
}

/** Only this many of the newest matches are ranked; older ones follow by age. */
export const MAX_RANKED = 250
/** With more matches than this, walking back in time finds the newest sooner than collecting all matches. */
const MANY_MATCHES = 15_000
/** With more matches than this, typing errors are not considered. */
const FEW_MATCHES = 100
/** Captures to walk before giving up: the words are from another time. */
const MAX_WALKED = 2500

/**
 * In a transaction, because a search sets planner options. Without `isCounted`, the total covers this page and those
 * before it, plus one if there is another page; a search for words always counts, on the way to the best matches.
 */
export async function searchCaptures(tx: Orm, filter: CaptureFilter): Promise<Found> {
  const exact = await searchExactly(tx, filter)
  const { text, offset, limit } = filter
  if (text?.nearly == null || exact.total > FEW_MATCHES) return exact
  const terms = await nearTerms(tx, text.nearly)
  if (terms === null) return exact
  if (filter.sort !== 'relevance') return searchExactly(tx, { ...filter, text: { ...text, terms } })
  // Behind the exact matches, the newest first.
  const near = await searchExactly(tx, {
    ...filter,
    text: { ...text, terms, rankedBy: null, except: eitherOf(text.terms, text.except) },
    sort: '-recorded_at',
    offset: Math.max(0, offset - exact.total),
    limit: limit - exact.rows.length,
  })
  return { rows: [...exact.rows, ...near.rows], total: exact.total + near.total }
}

const eitherOf = (one: string, other: string | undefined): string =>
  other === undefined ? one : `(${one}) | (${other})`

type Found = { rows: CaptureRow[]; total: number }

/**
 * A tsquery with the variants that occur in the texts; null if none does. Each variant is a separate lookup: for
 * hundreds in one tsquery the planner expects a match in every text, and scans all of them.
 */
async function nearTerms(tx: Orm, near: readonly NearTerm[]): Promise<string | null> {
  await plan(tx, { bitmap: true })
  const variants = near.flatMap((term) => term.variants)
  // A scalar subquery: the planner turns `exists` into a join that compares each text with each variant.
  const isHeld = sql`(select true from ${captureFacts} where ${isPlace('kept')} and search_terms @@ variant::tsquery limit 1)`
  const found = await tx
    .select({ variant: sql<string>`variant` })
    .from(sql`jsonb_array_elements_text(${JSON.stringify(variants)}::jsonb) as variants (variant)`)
    .where(isHeld)
  const held = new Set(found.map(({ variant }) => variant))
  if (held.size === 0) return null
  return near
    .map(({ terms, variants }) => `(${[terms, ...variants.filter((one) => held.has(one))].join(' | ')})`)
    .join(' & ')
}

async function searchExactly(tx: Orm, filter: CaptureFilter): Promise<Found> {
  const { text } = filter
  if (filter.isCounted === false && text === undefined) return uncountedPage(tx, filter)
  // The planner estimates reading a text as cheap as reading a number, and would scan all of them.
  if (text !== undefined) await plan(tx, { bitmap: true })
  const isRanked = filter.sort === 'relevance' && text !== undefined && text.rankedBy !== null
  const counted =
    isRanked && (text.texts.length > 0 || text.oneOf) ? await gather(tx, filter) : await countAll(tx, filter)
  const { total } = counted
  if (filter.offset >= total) return { rows: [], total }
  const ids = isRanked ? await rankedPage(tx, filter, counted) : await sortedPage(tx, filter)
  return { rows: await inOrder(tx, ids), total }
}

/** Counting a hundred thousand captures takes three times as long as reading a page of them. */
async function uncountedPage(tx: Orm, filter: CaptureFilter): Promise<Found> {
  const { limit, offset } = filter
  const ids = await sortedPage(tx, { ...filter, limit: limit + 1 })
  const total = ids.length === 0 && offset > 0 ? (await countAll(tx, filter)).total : offset + ids.length
  return { rows: await inOrder(tx, ids.slice(0, limit)), total }
}

/** `newest` are the ids of the matches to rank, if known. */
type Counted = { total: number; newest: string[] | null }

async function countAll(tx: Orm, filter: CaptureFilter): Promise<Counted> {
  const where = and(...factsConditions(filter))
  const [all] = await tx.select({ count: count() }).from(captureFacts).where(where)
  return { total: all?.count ?? 0, newest: null }
}

/** For checks of the texts themselves: checking twice costs more than collecting all matches. */
async function gather(tx: Orm, filter: CaptureFilter): Promise<Counted> {
  const gathered = sql`select array_agg(id) as ids, array_agg(recorded_at) as times, count(*)::integer as total from ${captureFacts} where ${and(...factsConditions(filter))}`
  // Sorted afterwards: an ordered aggregate would carry all columns through a sort.
  const newest = sql`select id from unnest(ids, times) as found (id, recorded_at) ${NEWEST} limit ${MAX_RANKED}`
  const [found] = await tx
    .select({ total: sql<number>`total`, newest: sql<string>`array_to_string(array(${newest}), ',')` })
    .from(sql`(${gathered}) as gathered`)
  return { total: found?.total ?? 0, newest: found?.newest ? found.newest.split(',') : [] }
}

/** Sets the kind of scan until the end of the transaction. */
const plan = (tx: Orm, { bitmap }: { bitmap: boolean }) =>
  tx.execute(
    sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', ${bitmap ? 'off' : 'on'}, true), set_config('enable_bitmapscan', ${bitmap ? 'on' : 'off'}, true)`,
  )

async function sortedPage(tx: Orm, filter: CaptureFilter): Promise<string[]> {
  const found = await tx
    .select({ id: captureFacts.id })
    .from(captureFacts)
    .where(and(...factsConditions(filter)))
    .orderBy(...orderOf(filter.sort))
    .limit(filter.limit)
    .offset(filter.offset)
  return found.map(({ id }) => id)
}

async function rankedPage(tx: Orm, filter: CaptureFilter, counted: Counted): Promise<string[]> {
  const { offset, limit } = filter
  const ranked = offset < MAX_RANKED ? await rankedIds(tx, filter, counted) : []
  const page = ranked.slice(offset, offset + limit)
  if (page.length === limit || counted.total <= MAX_RANKED) return page
  const rest = { ...filter, offset: Math.max(offset, MAX_RANKED), limit: limit - page.length }
  return [...page, ...(await sortedPage(tx, rest))]
}

/** The newest matches, the best first. */
async function rankedIds(tx: Orm, filter: CaptureFilter, { total, newest }: Counted): Promise<string[]> {
  if (newest !== null) {
    const known = sql`id = any(${`{${newest.join(',')}}`}::uuid[])`
    return rank(tx, filter.text!, { from: sql`${captureFacts}`, where: known })
  }
  const text = matches(filter.text!)
  const others = and(...factsConditions({ ...filter, text: undefined }))
  if (total > MANY_MATCHES) {
    await plan(tx, { bitmap: false })
    const walked = sql`(select * from ${captureFacts} where ${others} ${NEWEST} limit ${MAX_WALKED}) as capture_facts`
    const found = await rank(tx, filter.text!, { from: walked, where: text })
    await plan(tx, { bitmap: true })
    if (found.length === MAX_RANKED) return found
  }
  return rank(tx, filter.text!, { from: sql`${captureFacts}`, where: and(others, text)! })
}

const NEWEST = sql.raw('order by recorded_at desc, id desc')

async function rank(
  tx: Orm,
  { rankedBy, betterWith, bestWith }: TextQuery,
  { from, where }: { from: SQL; where: SQL },
): Promise<string[]> {
  const newest = sql`select id, recorded_at, search_terms from ${from} where ${where} ${NEWEST} limit ${MAX_RANKED}`
  // Divided by the logarithm of the length (1): long texts repeat every word.
  const rankBy = (query: string) => sql`ts_rank(search_terms, ${query}::tsquery, 1)`
  const better = betterWith === null ? sql`0` : rankBy(betterWith)
  const isBest = bestWith === null ? sql`` : sql`search_terms @@ ${bestWith}::tsquery desc, `
  const byRank = sql`${isBest}${rankBy(rankedBy!)} + ${better} desc, recorded_at desc, id desc`
  const found = await tx.select({ id: sql<string>`id` }).from(sql`(${newest}) as newest`).orderBy(byRank)
  return found.map(({ id }) => id)
}

async function inOrder(tx: Orm, ids: string[]): Promise<CaptureRow[]> {
  if (ids.length === 0) return []
  await tx.execute(sql`select set_config('enable_indexscan', 'on', true)`)
  const rows = await tx.select().from(captures).where(inArray(captures.id, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The condition on a row of `captures`. */
export const sqlConditions = (filter: CaptureConditions): SQL[] => [
  sql`${captures.id} in (select ${captureFacts.id} from ${captureFacts} where ${and(...factsConditions(filter))})`,
]

function factsConditions(filter: CaptureConditions): SQL[] {
  const { text, app } = filter
  const conditions: (SQL | undefined)[] = [isPlace(filter.trashed ? 'trashed' : 'kept')]
  if (filter.source !== undefined) conditions.push(eq(captureFacts.source, filter.source))
  if (filter.status !== undefined) conditions.push(hasStatus(filter.status))
  if (filter.model !== undefined) conditions.push(eq(captureFacts.model, filter.model))
  if (filter.audioSha256 !== undefined) conditions.push(hasAudio(filter.audioSha256))
  if (filter.idTail !== undefined) conditions.push(sql`${captureFacts.id}::text like ${`%${filter.idTail}`}`)
  if (filter.since !== undefined) conditions.push(gte(captureFacts.recordedAt, filter.since))
  if (filter.until !== undefined) conditions.push(lt(captureFacts.recordedAt, filter.until))
  if (filter.starred !== undefined) conditions.push(eq(captureFacts.starred, filter.starred))
  if (filter.tag !== undefined) conditions.push(arrayContains(captureFacts.tags, [filter.tag]))
  if (filter.language !== undefined) conditions.push(eq(captureFacts.language, filter.language))
  if (app !== undefined) conditions.push(or(eq(captureFacts.appName, app), eq(captureFacts.appId, app)))
  if (text !== undefined) conditions.push(matches(text))
  return conditions.filter((condition) => condition !== undefined)
}

const hasAudio = (sha256: string): SQL =>
  sql`${captureFacts.id} in (select id from captures where audio_sha256 = ${sha256})`

const UNFINISHED = sql`select id from captures where status in ('pending', 'transcribing', 'refining')`

/** For captures with a running job, only their rows in `captures` have the current state. */
const hasStatus = (status: CaptureRow['status']): SQL =>
  ['pending', 'transcribing', 'refining'].includes(status)
    ? sql`${captureFacts.id} in (${UNFINISHED} and status = ${status})`
    : and(eq(captureFacts.status, status), sql`${captureFacts.id} not in (${UNFINISHED})`)!

const contains = (text: string): SQL => sql`search_text like ${`%${text}%`}`

const matches = ({ terms, texts, except, oneOf = [] }: TextQuery): SQL =>
  and(
    sql`search_terms @@ ${terms}::tsquery`,
    except === undefined ? undefined : sql`not search_terms @@ ${except}::tsquery`,
    ...texts.map(contains),
    ...oneOf.map((group) =>
      or(...group.map((one) => and(sql`search_terms @@ ${one.terms}::tsquery`, ...one.texts.map(contains)))),
    ),
  )!

function orderOf(sort: CaptureSort): SQL[] {
  const { recordedAt, id, durationMs, wordCount } = captureFacts
  const newest = [desc(recordedAt), desc(id)]
  switch (sort) {
    case 'relevance':
    case '-recorded_at':
      return newest
    case 'recorded_at':
      return [asc(recordedAt), asc(id)]
    // Ids sort by their creation time.
    case '-created_at':
      return [desc(id)]
    case 'created_at':
      return [asc(id)]
    case '-duration_ms':
      return [sql`${durationMs} desc nulls last`, ...newest]
    case 'duration_ms':
      return [sql`${durationMs} asc nulls last`, ...newest]
    case '-word_count':
      return [desc(wordCount), ...newest]
    case 'word_count':
      return [asc(wordCount), ...newest]
  }
}
