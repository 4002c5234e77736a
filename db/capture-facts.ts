// The narrow rows that searches and statistics read: how they follow the captures, and the format of `kind`.

import { and, eq, gt, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { QUARTER_MS } from '../src/lib/time-zone.ts'
import { newValue, wholeRows } from './bulk-upsert.ts'
import type { Orm } from './database.ts'
import {
  type CaptureFactsRow,
  type CaptureRow,
  captureFacts,
  captures,
  type DeletedCaptureRow,
} from './schema.ts'

export type CapturePlace = CaptureFactsRow['place']

/** The properties by which the statistics group captures. */
export type Kind = {
  source: CaptureRow['source']
  failed: boolean
  refined: boolean
  language: string | null
  model: string | null
  appId: string | null
  appName: string | null
}

/** An index entry may have 2700 bytes, and a character takes up to six here. */
const MAX_NAME_LENGTH = 150

const clipped = (name: string | null): string | null =>
  name === null ? null : name.slice(0, MAX_NAME_LENGTH).toWellFormed()

export const kindText = ({ source, failed, refined, language, model, appId, appName }: Kind): string =>
  JSON.stringify([source, failed, refined, language, clipped(model), clipped(appId), clipped(appName)])

export function readKind(text: string): Kind {
  const [source, failed, refined, language, model, appId, appName] = JSON.parse(text)
  return { source, failed, refined, language, model, appId, appName }
}

export const quarterOf = (time: Date): number => Math.floor(time.getTime() / QUARTER_MS)

// Unchanged values keep the stored value itself: then Postgres rewrites neither them nor their index entries.
const SEARCHED = ['search_text', 'search_terms']
const factsRows = wholeRows(captureFacts, (name) =>
  SEARCHED.includes(name)
    ? `case when capture_facts.search_digest = excluded.search_digest then capture_facts.${name} else ${newValue(name)} end`
    : newValue(name),
)

/** The upsert statement for rows. */
export const savingFacts = factsRows.saving

/** The numbers of deleted captures stay, unless they were deleted before any transcription. */
export async function buryFacts(orm: Orm, remains: DeletedCaptureRow[]): Promise<void> {
  const isCounted = ({ status }: DeletedCaptureRow) => status === 'completed' || status === 'failed'
  const forgotten = remains.filter((one) => !isCounted(one)).map(({ id }) => id)
  if (forgotten.length > 0) await orm.delete(captureFacts).where(inArray(captureFacts.id, forgotten))
  const counted = remains.filter(isCounted)
  if (counted.length > 0) await orm.execute(savingFacts(counted.map(factsOfRemains)))
}

function factsOfRemains(remains: DeletedCaptureRow): CaptureFactsRow {
  const { id, recordedAt, wordCount, durationMs, corrections, status, source, language, sttModel } = remains
  const { appId, appName, refined } = remains
  const failed = status === 'failed'
  return {
    id,
    recordedAt,
    wordCount,
    durationMs,
    corrections,
    status,
    source,
    language,
    place: 'gone' satisfies CapturePlace,
    quarter: quarterOf(recordedAt),
    kind: kindText({ source, failed, refined, language, model: sttModel, appId, appName }),
    model: sttModel,
    appName: null,
    appId: null,
    starred: false,
    tags: [],
    searchDigest: '',
    searchText: '',
    searchTerms: '',
  }
}

/** Captures whose texts another version of the search has indexed, by id; none after the last. */
export async function capturesIndexedOtherwise(
  orm: Orm,
  { version, after, limit }: { version: number; after: string; limit: number },
): Promise<CaptureRow[]> {
  const found = await orm
    .select({ id: captureFacts.id })
    .from(captureFacts)
    .where(
      and(
        gt(captureFacts.id, after),
        ne(captureFacts.place, 'gone' satisfies CapturePlace),
        sql`${captureFacts.searchDigest} not like ${`${version}:%`}`,
      ),
    )
    .orderBy(captureFacts.id)
    .limit(limit)
  const ids = found.map(({ id }) => id)
  return ids.length === 0
    ? []
    : orm.select().from(captures).where(inArray(captures.id, ids)).orderBy(captures.id)
}

export const isPlace = (place: CapturePlace): SQL => eq(captureFacts.place, sql.raw(`'${place}'`))
