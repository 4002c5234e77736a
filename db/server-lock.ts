// One server per external database: an advisory lock on a separate connection. The lock of the data folder is
// src/lib/lock.ts.

import postgres from 'postgres'
import type { Log } from '../src/lib/log.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { DatabaseFailure } from './database.ts'
import { beforeDeadline } from './deadline.ts'

/** An arbitrary number that no other program is likely to use. */
const LOCK_KEY = 6_871_249_305
const ANSWER_DEADLINE_MS = 10_000
const RETRY_MS = 1000

export type ServerLock = { release(): Promise<void> }

/** Held while the server runs; taken again when its connection is lost. Throws if the database does not answer. */
export async function takeServerLock(url: string, log: Log): Promise<Result<ServerLock, DatabaseFailure>> {
  let released = false
  let held: postgres.Sql | null = null

  const take = async (): Promise<boolean> => {
    let holds = false
    const sql = postgres(url, {
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: ANSWER_DEADLINE_MS / 1000,
      // As in external.ts.
      fetch_types: false,
      connection: { application_name: 'local-dictation lock' },
      onnotice: () => {},
      onclose: () => {
        if (holds && !released) lost()
        holds = false
      },
    })
    try {
      const answer = sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK_KEY}) as taken`
      const [row] = await beforeDeadline(answer, {
        timeoutMs: ANSWER_DEADLINE_MS,
        lost: new AbortController().signal,
        graceMs: 0,
      })
      holds = row?.taken === true
      if (holds) held = sql
      return holds
    } finally {
      if (!holds) sql.end({ timeout: 0 }).catch(() => {})
    }
  }

  const lost = (): void => {
    log.warn({}, 'lost the connection that holds the server lock; reacquiring it')
    held?.end({ timeout: 0 }).catch(() => {})
    const again = (): void => {
      if (released) return
      const later = () => setTimeout(again, RETRY_MS)
      take().then((taken) => {
        if (taken) return log.info({}, 'reacquired the server lock')
        // Possibly by our own lost connection, which Postgres ends with a delay.
        log.error({}, 'another connection holds the server lock; stop the other server if there is one')
        later()
      }, later)
    }
    again()
  }

  if (await take())
    return succeed({
      async release() {
        released = true
        await held?.end({ timeout: 1 })
      },
    })
  return fail({
    code: 'database_in_use',
    message: 'Another Local Dictation server works on the database that DATABASE_URL names. Stop it first.',
  })
}
