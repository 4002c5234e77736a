// Rejects a connection pooler that passes each transaction to another connection, such as PgBouncer in transaction mode:
// it drops notifications and mixes up the locks of several servers.

import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { DatabaseFailure } from './database.ts'
import { beforeDeadline } from './deadline.ts'

const DEADLINE_MS = 10_000

/** A setting of one session is visible in another only if the two share a connection. Throws if it does not answer. */
export async function keepsSessions(url: string): Promise<Result<void, DatabaseFailure>> {
  const connections = [connect(url), connect(url)] as const
  try {
    return await beforeDeadline(compare(connections), {
      timeoutMs: DEADLINE_MS,
      lost: new AbortController().signal,
      graceMs: 0,
    })
  } finally {
    for (const sql of connections) sql.end({ timeout: 0 }).catch(() => {})
  }
}

async function compare([one, other]: readonly [postgres.Sql, postgres.Sql]) {
  const mark = randomUUID()
  await one`select set_config('dictation.session', ${mark}, false)`
  const read = async (sql: postgres.Sql) =>
    (await sql<{ mark: string | null }[]>`select current_setting('dictation.session', true) as mark`)[0]?.mark
  if ((await read(other)) !== mark && (await read(one)) === mark) return succeed(undefined)
  return fail<DatabaseFailure>({
    code: 'database_unusable',
    message:
      'DATABASE_URL names a connection pooler that keeps no sessions. Let it name Postgres itself, or a pooler in session mode.',
  })
}

const connect = (url: string) =>
  postgres(url, {
    max: 1,
    connect_timeout: DEADLINE_MS / 1000,
    // As in external.ts.
    fetch_types: false,
    // A statement that one connection of the pooler prepared would be unknown to the next.
    prepare: false,
    connection: { application_name: 'local-dictation check' },
    onnotice: () => {},
  })
