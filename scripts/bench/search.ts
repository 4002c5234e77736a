// The cost of a search, a list and the statistics among 100,000 captures, on either database, by the server's own code
// below HTTP.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { countCaptures } from '../../db/retention.ts'
import { type CaptureQuery, listCaptures, toRow } from '../../src/captures/capture-index.ts'
import { usedApps } from '../../src/captures/counted-captures.ts'
import { type StatisticsQuery, statisticsOf } from '../../src/captures/statistics.ts'
import { silentLog } from '../../src/lib/log.ts'
import { DAY_MS, timeZone } from '../../src/lib/time-zone.ts'
import { corpusCapture, keepMany, LAST_CAPTURE_AT, settleDatabase } from '../../test/support/many-captures.ts'

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
    since: new Date(LAST_CAPTURE_AT - 365 * DAY_MS),
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
 * `databaseUrl` null: the embedded database, in `keptFolder` or in a temporary folder. A database that already contains
 * captures is measured as it is.
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
      const captures = await database.run(countCaptures)
      if (captures === 0) {
        await keepMany(database, options.captures)
        await settleDatabase(database)
      }
      return { measured: await measure(database, options.rounds) }
    } finally {
      await database.close()
    }
  } finally {
    if (options.keptFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
  }
}

async function keepOne(database: Database): Promise<number> {
  const one = await toRow(
    corpusCapture(0, new Date(LAST_CAPTURE_AT), { text: 'and the report of the office', language: 'en' }),
  )
  await database.transaction((tx) => saveCaptures(tx, [one]))
  return 1
}

async function measure(database: Database, rounds: number): Promise<Measured[]> {
  const deps = { database, clock: () => new Date(LAST_CAPTURE_AT), typingWpm: () => 45 }
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
  // In turn, so that a slow moment of the machine does not affect one alone; the first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [index, [, work]] of works.entries()) {
      const startedAt = performance.now()
      const found = await work()
      if (round > 0) measured[index]!.timesMs.push(performance.now() - startedAt)
      measured[index]!.found = String(found)
    }
  return measured
}
