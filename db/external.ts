// An external Postgres, reached by its address. Several servers may work on it.
// Every call has a deadline, because a query can stay pending for ever when the server behind it dies.

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { DatabaseUnavailableError } from '../src/lib/database-errors.ts'
import type { Log } from '../src/lib/log.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import { type Database, type DatabaseFailure, type Orm, returnedRows } from './database.ts'
import { beforeDeadline, CALL_DEADLINE_MS, DeadlineError, STATEMENT_DEADLINE_MS } from './deadline.ts'
import { withoutValues } from './errors.ts'
import { createExclusive, KEEPALIVES } from './exclusive.ts'
import { bringUpToDate } from './migrate.ts'
import { keepsSessions } from './sessions.ts'

const CONNECTIONS = 8
/** How long running calls may take to finish after a connection is lost. */
const LOST_GRACE_MS = 2000
const CONNECT_DEADLINE_SECONDS = 10
const CLOSE_DEADLINE_SECONDS = 5

type Options = { databaseUrl: string; log: Log }

/** Longer than any migration takes. */
const MIGRATION_WAIT_MS = 600_000

/** Opens a pool and migrates the database, unless another server does so at the moment. */
export async function openExternal({
  databaseUrl,
  log,
}: Options): Promise<Result<Database, DatabaseFailure>> {
  const sessions = await keepsSessions(databaseUrl).catch((error: unknown) => unreachable(error))
  if (!sessions.ok) return sessions
  let pool = openPool(databaseUrl)
  const { exclusively, close: closeLocks } = createExclusive(databaseUrl)
  const migrateAll = () => bringUpToDate(pool.orm as unknown as Orm, (_, config) => migrate(pool.orm, config))
  const current = await exclusively('migration', migrateAll, { waitMs: MIGRATION_WAIT_MS }).catch(
    (error: unknown) => unusable(error),
  )
  if (current?.ok !== true) {
    await Promise.all([pool.sql.end({ timeout: 0 }), closeLocks()])
    const failed = current ?? unusable(new Error('another server has been changing them for ten minutes'))
    return failed.failure.code === 'database_unknown' ? fail(foreign(failed.failure)) : failed
  }

  let closed = false
  const renew = (used: typeof pool): void => {
    if (closed || pool !== used) return
    log.error({}, 'lost the database connection; reconnecting')
    pool = openPool(databaseUrl)
    used.sql.end({ timeout: CLOSE_DEADLINE_SECONDS }).catch(() => {})
  }
  const within = async <T>(work: (orm: Orm) => Promise<T>): Promise<T> => {
    if (pool.lost.aborted) renew(pool)
    const used = pool
    const patience = { timeoutMs: CALL_DEADLINE_MS, lost: used.lost, graceMs: LOST_GRACE_MS }
    try {
      return await withoutValues(() => beforeDeadline(work(used.orm as unknown as Orm), patience))
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error
      renew(used)
      throw new DatabaseUnavailableError(error.message)
    }
  }
  return succeed({
    kind: 'external',
    connection: { kind: 'external', url: databaseUrl },
    // Its administrator maintains its files.
    damaged: new AbortController().signal,
    run: within,
    transaction: (work) => within((orm) => orm.transaction((tx) => work(tx as unknown as Orm))),
    exclusively,
    async now() {
      const [row] = returnedRows<{ now: string | Date }>(
        await within((orm) => orm.execute(sql`select now() as now`)),
      )
      return new Date(row!.now)
    },
    // An external Postgres maintains itself.
    journalBytes: async () => 0,
    checkpoint: async () => {},
    vacuum: async () => {},
    close: async () => {
      closed = true
      await Promise.all([pool.sql.end({ timeout: CLOSE_DEADLINE_SECONDS }), closeLocks()])
    },
  })
}

function openPool(url: string) {
  const lost = new AbortController()
  const sql = postgres(url, {
    max: CONNECTIONS,
    connect_timeout: CONNECT_DEADLINE_SECONDS,
    // A connection is then closed only when it is lost, which can leave one of its queries pending for ever.
    max_lifetime: null,
    // Otherwise the driver fetches the types of arrays, and an error of that query is never caught; arrays are written
    // as text here.
    fetch_types: false,
    // Compiling a query takes Postgres hundreds of milliseconds here, and running it a tenth of that.
    connection: {
      application_name: 'local-dictation',
      statement_timeout: STATEMENT_DEADLINE_MS,
      // A server that was stopped or cut off during a transaction would hold its locks for hours.
      idle_in_transaction_session_timeout: STATEMENT_DEADLINE_MS,
      jit: 'off',
      ...KEEPALIVES,
    },
    onnotice: () => {},
    onclose: () => lost.abort(),
  })
  return { sql, orm: drizzle({ client: sql }), lost: lost.signal }
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
    message: `The tables cannot be created in the database that DATABASE_URL names: ${reasonOf(error)}`,
  })

/** Only its administrator decides what is dropped. */
const foreign = ({ code, message }: DatabaseFailure): DatabaseFailure => ({
  code,
  message: `${message} Set DATABASE_URL to an empty database; the server fills it from its files.`,
})

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
