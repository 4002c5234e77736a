// A Postgres that somebody runs, reached by its address; one Local Dictation server at a time.
// Gives every call a deadline, because a query can stay pending for ever when the server behind it dies.

import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import type { Log } from '../src/lib/log.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { Database, DatabaseFailure, Orm } from './database.ts'
import { withoutValues } from './errors.ts'
import { bringUpToDate } from './migrate.ts'
import * as schema from './schema.ts'

const CONNECTIONS = 8
const STATEMENT_DEADLINE_MS = 30_000
/** Longer than the server's own, which is the kinder way to end. */
const CALL_DEADLINE_MS = 40_000
const CONNECT_DEADLINE_SECONDS = 10
const CLOSE_DEADLINE_SECONDS = 5
/** An arbitrary number that no other program is likely to have chosen for its advisory lock. */
const LOCK_KEY = 6_871_249_305

type Options = { databaseUrl: string; log: Log }

/** Takes the database for this server, brings it up to date and opens a pool. */
export async function openExternal({
  databaseUrl,
  log,
}: Options): Promise<Result<Database, DatabaseFailure>> {
  const lock = await takeLock(databaseUrl, log).catch((error: unknown) => unreachable(error))
  if (!lock.ok) return lock

  let pool = openPool(databaseUrl)
  // The advisory lock is ours alone, so no other start can be migrating.
  const current = await bringUpToDate(pool.orm as unknown as Orm, (_, config) =>
    migrate(pool.orm, config),
  ).catch((error: unknown) => unusable(error))
  if (!current.ok) {
    await pool.sql.end({ timeout: 0 })
    await lock.value.release()
    return current
  }

  const within = async <T>(work: (orm: Orm) => Promise<T>): Promise<T> => {
    const used = pool
    try {
      return await withoutValues(() => beforeDeadline(work(used.orm as unknown as Orm)))
    } catch (error) {
      if (error instanceof DeadlineError && pool === used) {
        log.error({}, 'the database did not answer; opening new connections')
        pool = openPool(databaseUrl)
        used.sql.end({ timeout: 0 }).catch(() => {})
      }
      throw error
    }
  }
  return succeed({
    kind: 'external',
    connection: { kind: 'external', url: databaseUrl },
    run: within,
    transaction: (work) => within((orm) => orm.transaction((tx) => work(tx as unknown as Orm))),
    vacuum: async () => {
      // A Postgres of its own right vacuums itself.
    },
    close: async () => {
      await pool.sql.end({ timeout: CLOSE_DEADLINE_SECONDS })
      await lock.value.release()
    },
  })
}

function openPool(url: string) {
  const sql = postgres(url, {
    max: CONNECTIONS,
    connect_timeout: CONNECT_DEADLINE_SECONDS,
    connection: { application_name: 'local-dictation', statement_timeout: STATEMENT_DEADLINE_MS },
    onnotice: () => {},
  })
  return { sql, orm: drizzle({ client: sql, schema }) }
}

class DeadlineError extends Error {}

function beforeDeadline<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new DeadlineError(`no answer from the database in ${CALL_DEADLINE_MS} ms`)),
    CALL_DEADLINE_MS,
  )
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer))
}

type HeldLock = { release(): Promise<void> }

/** Holds an advisory lock on a connection of its own for as long as the server runs. */
async function takeLock(url: string, log: Log): Promise<Result<HeldLock, DatabaseFailure>> {
  let released = false
  const sql = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: CONNECT_DEADLINE_SECONDS,
    connection: { application_name: 'local-dictation lock' },
    onnotice: () => {},
    onclose: () => {
      if (!released) reacquire()
    },
  })
  const tryLock = async (): Promise<boolean> => {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK_KEY}) as taken`
    return row?.taken === true
  }
  let taken = false
  const reacquire = () => {
    if (!taken) return
    log.warn({}, 'the connection that holds the database for this server was lost; taking it again')
    tryLock().then(
      (again) => again || log.error({}, 'another server has taken the database; stop one of the two'),
      (error: unknown) => log.error({ reason: String(error) }, 'the database cannot be reached'),
    )
  }
  const release = async () => {
    released = true
    await sql.end({ timeout: CLOSE_DEADLINE_SECONDS })
  }
  try {
    taken = await tryLock()
  } catch (error) {
    await release()
    throw error
  }
  if (taken) return succeed({ release })
  await release()
  return fail({
    code: 'database_in_use',
    message: 'Another Local Dictation server works on the database that DATABASE_URL names. Stop it first.',
  })
}

/** The driver's message names host and reason, never the password. */
const unreachable = (error: unknown) =>
  fail<DatabaseFailure>({
    code: 'database_unreachable',
    message: `The database that DATABASE_URL names cannot be reached: ${reasonOf(error)}`,
  })

const unusable = (error: unknown) =>
  fail<DatabaseFailure>({
    code: 'database_unusable',
    message: `The tables cannot be made in the database that DATABASE_URL names: ${reasonOf(error)}`,
  })

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
