// The common type of both databases, which every query uses.

import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { PostgresClient } from './embedded-postgres.ts'
import type * as schema from './schema.ts'

/** Drizzle over either driver, inside or outside a transaction. */
export type Orm = PgDatabase<PgQueryResultHKT, typeof schema>

/** The rows of a statement that Drizzle does not build: its two drivers return them in different forms. */
export const returnedRows = <Row>(answer: unknown): Row[] =>
  (answer as { rows?: Row[] }).rows ?? (answer as Row[])

export type Database = {
  kind: 'embedded' | 'external'
  /** how the queue connects to the same database */
  connection:
    | { kind: 'embedded'; client: Pick<PostgresClient, 'query' | 'exec'> }
    | { kind: 'external'; url: string }
  /** fires when it turns out to be damaged: it then answers no query and has to be rebuilt */
  damaged: AbortSignal
  /** Runs one query, or a few that need no consistent view. */
  run<T>(work: (orm: Orm) => Promise<T>): Promise<T>
  /** All or nothing. Only `tx` may be used inside: the embedded database has a single connection. */
  transaction<T>(work: (tx: Orm) => Promise<T>): Promise<T>
  /**
   * Runs the work while no server on this database runs any other under the same name. Null if another one is still at
   * it after `waitMs`, by default at once. Calls of one server take turns.
   */
  exclusively<T>(name: string, work: () => Promise<T>, patience?: { waitMs: number }): Promise<T | null>
  /** the time of the database; for an embedded one, of this computer */
  now(): Promise<Date>
  /** bytes ever written to its journal; 0 for a database that maintains itself */
  journalBytes(): Promise<number>
  /** Ends the journal, so that its files are reused; the embedded database never does so by itself. */
  checkpoint(): Promise<void>
  /** Refreshes the planner's statistics, reclaims space and ends the journal; the embedded database never does so by itself. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

export type DatabaseFailure = {
  code: /** not reachable, or refuses us */
    | 'database_unreachable'
    /** created by a later version */
    | 'database_too_new'
    /** its tables belong to no version of ours; it is unchanged */
    | 'database_unknown'
    | 'database_unusable'
    /** to be rebuilt from the files; it is unchanged */
    | 'database_damaged'
  message: string
}
