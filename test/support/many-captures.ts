// Many captures in a database alone, without files: texts of corpus.ts over three years. For benchmarks, and for lists
// that would take minutes to record.

import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { saveCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { type Capture, countWords } from '../../src/captures/capture.ts'
import { toRow } from '../../src/captures/capture-index.ts'
import { newCapture } from '../../src/captures/new-capture.ts'
import { DAY_MS } from '../../src/lib/time-zone.ts'
import { newId } from '../../src/lib/uuid.ts'
import { type CorpusText, corpus } from './corpus.ts'

const SEED = 7
const BATCH = 200
/** Time between the first capture and the last. */
const SPAN_DAYS = 3 * 365
export const LAST_CAPTURE_AT = Date.parse('2026-06-30T18:00:00Z')

const APPS = [
  { appName: 'Mail', appId: 'com.apple.mail' },
  { appName: 'Slack', appId: 'com.tinyspeck.slackmacgap' },
  { appName: 'Visual Studio Code', appId: 'com.microsoft.vscode' },
  { appName: 'Google Chrome', appId: 'com.google.chrome' },
  { appName: null, appId: null },
]

/** Creates the search index at the end, which is three times faster. */
export async function keepMany(database: Database, captures: number): Promise<void> {
  const texts = corpus(SEED)
  const [index] = await database.run((orm) =>
    orm
      .select({ made: sql<string>`pg_get_indexdef('capture_facts_terms'::regclass)` })
      .from(sql`(select 1) as one`),
  )
  await database.run((orm) => orm.execute(sql`drop index capture_facts_terms`))
  for (let from = 0; from < captures; from += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, captures - from) }, (_, index) => {
      const at = LAST_CAPTURE_AT - (1 - (from + index) / captures) * SPAN_DAYS * DAY_MS
      return corpusCapture(from + index, new Date(at), texts.next().value)
    })
    const rows = await Promise.all(made.map((one) => toRow(one)))
    await database.transaction((tx) => saveCaptures(tx, rows))
  }
  await withoutDeadline(database, 'update captures set copied_revision = revision')
  await withoutDeadline(database, index!.made)
}

export function corpusCapture(index: number, at: Date, { text, language }: CorpusText): Capture {
  const created = newCapture({
    incoming: {
      bytes: 100_000,
      sha256: '0'.repeat(64),
      kind: { extension: 'wav', mediaType: 'audio/wav' } as never,
    },
    fields: {
      source: index % 10 === 0 ? 'file' : 'dictation',
      language: null,
      sttModel: 'tiny.en-q5_1',
      fileName: null,
      title: null,
      writingStyleId: null,
      appUrl: null,
      windowTitle: null,
      ...APPS[index % APPS.length]!,
    },
    now: at,
    id: newId(at),
  })
  const failed = index % 100 === 99
  return {
    ...created,
    status: failed ? 'failed' : 'completed',
    transcriptRaw: failed ? '' : text,
    transcriptEngine: failed ? '' : text,
    transcriptRefined: failed || index % 2 === 0 ? null : text,
    wordCount: failed ? 0 : countWords(text),
    durationMs: 400 * text.split(' ').length,
    detectedLanguage: language,
  }
}

/** What autovacuum does within a minute. */
export const settleDatabase = (database: Database): Promise<void> =>
  database.kind === 'embedded' ? database.vacuum() : withoutDeadline(database, 'vacuum (analyze)')

/** For statements that take longer than the server's own time limit. */
async function withoutDeadline({ connection, run }: Database, statement: string): Promise<void> {
  if (connection.kind === 'embedded') {
    await run((orm) => orm.execute(sql.raw(statement)))
    return
  }
  const client = postgres(connection.url, { max: 1 })
  await client.unsafe(statement)
  await client.end()
}
