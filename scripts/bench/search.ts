// What a search, a list and the statistics cost among 100,000 captures, on either database.
// The texts are test/support/corpus.ts; everything else is the server's own code below HTTP.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { countIndexed, saveCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { usedApps } from '../../src/captures/apps.ts'
import type { Capture } from '../../src/captures/capture.ts'
import { newCapture } from '../../src/captures/create-capture.ts'
import { toRow } from '../../src/captures/index-row.ts'
import { type CaptureQuery, listCaptures } from '../../src/captures/list-captures.ts'
import { type StatisticsQuery, statisticsOf } from '../../src/captures/statistics.ts'
import { countWords } from '../../src/captures/words.ts'
import { silentLog } from '../../src/lib/log.ts'
import { timeZone } from '../../src/lib/time-zone.ts'
import { newId } from '../../src/lib/uuid.ts'
import { type CorpusText, corpus } from '../../test/support/corpus.ts'

const SEED = 7
const BATCH = 200
/** The first capture was made so long before the last. */
const SPAN_DAYS = 3 * 365
const DAY_MS = 86_400_000
const LAST = Date.parse('2026-06-30T18:00:00Z')

const APPS = [
  { appName: 'Mail', appId: 'com.apple.mail' },
  { appName: 'Slack', appId: 'com.tinyspeck.slackmacgap' },
  { appName: 'Visual Studio Code', appId: 'com.microsoft.vscode' },
  { appName: 'Google Chrome', appId: 'com.google.chrome' },
  { appName: null, appId: null },
]

const LISTS: Record<string, Partial<CaptureQuery>> = {
  'list, the newest first': {},
  'list, page 1000': { offset: 49_950 },
  'list, one application': { app: 'slack' },
  'list, failed ones': { status: 'failed' },
  'one word, in nearly half of all texts': { q: 'the' },
  'one word, common (report)': { q: 'report' },
  'one word, rare (contion)': { q: 'contion' },
  'beginning of a word (off)': { q: 'off' },
  'beginning of a word, one letter (o)': { q: 'o' },
  'beginning of a word, many words (con)': { q: 'con' },
  'two words (quarterly budget)': { q: 'quarterly budget' },
  'two common words (we meeting)': { q: 'we meeting' },
  'phrase ("the office")': { q: '"the office"' },
  'phrase of four ("in the of the")': { q: '"in the of the"' },
  'accents and ß (STRASSE)': { q: 'STRASSE' },
  'Turkish (istanbul)': { q: 'istanbul' },
  'Chinese, two characters (会议)': { q: '会议' },
  'Chinese, one character (的)': { q: '的' },
  'Chinese, four characters (今天会议)': { q: '今天会议' },
  'Thai (รายงาน)': { q: 'รายงาน' },
  'no match': { q: 'hippopotamus' },
  'one word and filters (report, Slack, since a year)': {
    q: 'report',
    app: 'slack',
    since: new Date(LAST - 365 * DAY_MS),
  },
  'one word, by length (report)': { q: 'report', sort: '-word_count' },
}

const BERLIN = timeZone('Europe/Berlin')!

const STATISTICS: Record<string, Partial<StatisticsQuery>> = {
  'statistics, all time': {},
  'statistics, all time, one application': { app: 'slack' },
  'statistics, year': { period: 'year' },
  'statistics, week': { period: 'week' },
  'statistics, all time, Kathmandu': { zone: timeZone('Asia/Kathmandu')! },
  'statistics, all time, Lord Howe': { zone: timeZone('Australia/Lord_Howe')! },
}

export type Measured = { what: string; found: string; timesMs: number[] }
export type SearchBench = { measured: Measured[] }

/**
 * `databaseUrl` null is the embedded database, in `keptFolder` or in a folder that is removed afterwards. A database
 * that holds captures is measured as it is.
 */
export async function measureSearch(options: {
  databaseUrl: string | null
  keptFolder?: string | undefined
  captures: number
  rounds: number
}): Promise<SearchBench> {
  const dataFolder = options.keptFolder ?? (await mkdtemp(join(tmpdir(), 'dictation-bench-')))
  try {
    const opened = await openDatabase({ dataFolder, databaseUrl: options.databaseUrl, log: silentLog })
    if (!opened.ok) throw new Error(opened.failure.message)
    const database = opened.value
    try {
      const { captures } = await database.run(countIndexed)
      if (captures === 0) {
        await load(database, options.captures)
        await settle(database)
      }
      return { measured: await measure(database, options.rounds) }
    } finally {
      await database.close()
    }
  } finally {
    if (options.keptFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
}

/** With the index of terms made in the end, which is three times faster. */
async function load(database: Database, captures: number): Promise<void> {
  const texts = corpus(SEED)
  const [index] = await database.run((orm) =>
    orm
      .select({ made: sql<string>`pg_get_indexdef('capture_facts_terms'::regclass)` })
      .from(sql`(select 1) as one`),
  )
  await database.run((orm) => orm.execute(sql`drop index capture_facts_terms`))
  for (let from = 0; from < captures; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, captures - from) }, (_, index) => {
      const at = LAST - (1 - (from + index) / captures) * SPAN_DAYS * DAY_MS
      return toRow(captureOf(from + index, new Date(at), texts.next().value))
    })
    await database.transaction((tx) => saveCaptures(tx, rows))
  }
  await withoutDeadline(database, index!.made)
}

function captureOf(index: number, at: Date, { text, language }: CorpusText): Capture {
  const born = newCapture({
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
    ...born,
    status: failed ? 'failed' : 'completed',
    transcriptRaw: failed ? '' : text,
    transcriptEngine: failed ? '' : text,
    transcriptRefined: failed || index % 2 === 0 ? null : text,
    wordCount: failed ? 0 : countWords(text),
    durationMs: 400 * text.split(' ').length,
    detectedLanguage: language,
  }
}

async function keepOne(database: Database): Promise<number> {
  const one = toRow(captureOf(0, new Date(LAST), { text: 'and the report of the office', language: 'en' }))
  await database.transaction((tx) => saveCaptures(tx, [one]))
  return 1
}

/** What a Postgres does by itself within a minute. */
const settle = (database: Database): Promise<void> =>
  database.kind === 'embedded' ? database.vacuum() : withoutDeadline(database, 'vacuum (analyze)')

/** What takes longer than any call of the server may. */
async function withoutDeadline({ connection, run }: Database, statement: string): Promise<void> {
  if (connection.kind === 'embedded') {
    await run((orm) => orm.execute(sql.raw(statement)))
    return
  }
  const client = postgres(connection.url, { max: 1 })
  await client.unsafe(statement)
  await client.end()
}

async function measure(database: Database, rounds: number): Promise<Measured[]> {
  const deps = { database, clock: () => new Date(LAST), typingWpm: () => 45 }
  const everything: StatisticsQuery = {
    period: 'all',
    since: null,
    until: null,
    app: null,
    source: null,
    zone: BERLIN,
  }
  const works: [what: string, work: () => Promise<number>][] = [
    ...Object.entries(LISTS).map(([what, query]): [string, () => Promise<number>] => [
      what,
      async () => (await listCaptures(database, { limit: 50, offset: 0, ...query })).total,
    ]),
    ...Object.entries(STATISTICS).map(([what, query]): [string, () => Promise<number>] => [
      what,
      async () => (await statisticsOf(deps, { ...everything, ...query })).totals.captures,
    ]),
    ['keeping one more capture: its rows and their indexes', () => keepOne(database)],
    ['applications', async () => (await usedApps(database, { limit: 50, offset: 0 })).total],
  ]
  const measured = works.map(([what]): Measured => ({ what, found: '', timesMs: [] }))
  // Each in turn, so that a slow moment of the machine does not fall on one alone; the first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [index, [, work]] of works.entries()) {
      const startedAt = performance.now()
      const found = await work()
      if (round > 0) measured[index]!.timesMs.push(performance.now() - startedAt)
      measured[index]!.found = String(found)
    }
  return measured
}
