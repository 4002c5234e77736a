// The one type both databases are used through, and what every query is written against.
// Opening them is open.ts; the queries stand by table family in captures.ts, jobs.ts and search.ts.

import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { PostgresClient } from './embedded-postgres.ts'
import type * as schema from './schema.ts'

/** Drizzle over either driver, in or outside a transaction. */
export type Orm = PgDatabase<PgQueryResultHKT, typeof schema>

export type Database = {
  kind: 'embedded' | 'external'
  /** how the queue reaches the same database */
  connection:
    | { kind: 'embedded'; client: Pick<PostgresClient, 'query' | 'exec'> }
    | { kind: 'external'; url: string }
  /** fires when it turns out to be damaged: then it answers nothing any more, and is to be made anew */
  damaged: AbortSignal
  /** Runs one query or a few that need not agree with each other. */
  run<T>(work: (orm: Orm) => Promise<T>): Promise<T>
  /** All or nothing. Only `tx` may be used inside: the embedded database has a single connection. */
  transaction<T>(work: (tx: Orm) => Promise<T>): Promise<T>
  /** how much was ever written to its journal; 0 of one that looks after itself */
  journalBytes(): Promise<number>
  /** Ends the journal, so that its files are used again; the embedded database never does so by itself. */
  checkpoint(): Promise<void>
  /** Refreshes the planner's statistics, reclaims space and ends the journal; the embedded database never does so by itself. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

export type DatabaseFailure = {
  code: /** not reachable, or refuses us */
    | 'database_unreachable'
    /** another server works on it */
    | 'database_in_use'
    /** made by a later version of this program */
    | 'database_too_new'
    /** its tables are none that ours could be made of; nothing of it was changed */
    | 'database_unknown'
    | 'database_unusable'
    /** to be made anew from the files; nothing of it was changed */
    | 'database_damaged'
  message: string
}
