// Two idle servers on one real Postgres, which counts their statements.

import { expect, test } from 'bun:test'
import { createOneDatabase, isPostgresInstalled } from '../support/two-servers.ts'
import { until } from '../support/until.ts'

const SERVERS = 2
const MAX_STATEMENTS_A_SECOND = 1
const MINUTE_MS = 60_000
/** The work after a start has ended when this many seconds have had few statements. */
const CALM_SECONDS = 10

test.skipIf(!(await isPostgresInstalled()))(
  'each of two idle servers sends at most one statement a second',
  async () => {
    await using database = await createOneDatabase({
      settings: ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=top'],
    })
    const { sql } = database
    await sql`create extension pg_stat_statements`
    await Promise.all(Array.from({ length: SERVERS }, () => database.server()))
    const count = async () => {
      const [row] = await sql`select sum(calls)::int as calls from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
          and query not like '%pg_stat_statements%'`
      return row!.calls as number
    }
    const within = async (ms: number) => {
      const [before, began] = [await count(), performance.now()]
      await until(() => performance.now() - began > ms, { timeoutMs: 2 * ms })
      return (await count()) - before
    }
    const isCalm = async () =>
      (await within(CALM_SECONDS * 1000)) < 2 * SERVERS * CALM_SECONDS * MAX_STATEMENTS_A_SECOND
    await until(isCalm, { timeoutMs: 2 * MINUTE_MS, what: 'the start to be over' })
    const sent = await within(MINUTE_MS)
    const often = await sql`select calls, left(query, 80) as query from pg_stat_statements
      order by calls desc limit 12`
    expect(sent, JSON.stringify(often)).toBeLessThanOrEqual(
      (SERVERS * MAX_STATEMENTS_A_SECOND * MINUTE_MS) / 1000,
    )
    expect(sent).toBeGreaterThan(0)
  },
  400_000,
)
