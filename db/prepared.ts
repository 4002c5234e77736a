// The embedded database as Drizzle uses it, with statements that Postgres parses and plans only once.
// PGlite's own query() parses and plans each statement every time, which was measured to take longer than running it.

import { type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

type Query = (text: string, parameters?: unknown[], options?: QueryOptions) => Promise<Results>

type Statement = { name: string; parameterTypes: number[] }

/**
 * A statement is dropped after this many others were used since: statements with long lists in them occur only once.
 */
const MAX_KEPT = 100
/** Imports of many rows are long statements whose planning is cheap beside their work. */
const MAX_TEXT_LENGTH = 10_000

/** A prepared plan is generic, and a search needs a plan for its own words. */
const isWorthKeeping = (text: string): boolean =>
  text.length <= MAX_TEXT_LENGTH && !/\border by\b|\bcount\(/.test(text)

const { serialize } = protocol
const SYNC = serialize.sync()

type Keeping = {
  /** of the statements: each client of a database has its own */
  prefix: string
  isKept: (text: string) => boolean
}

export function preparing(
  pglite: PGlite,
  { prefix, isKept }: Keeping = { prefix: 'kept', isKept: isWorthKeeping },
): { query: Query } {
  const kept = new Map<string, Statement>()
  let prepared = 0
  let parsers: PGlite['parsers'] | null = null

  /** One round trip to Postgres; the sync at its end makes an error end with it. Nothing is synced to the disk here. */
  const exchange = async (...messages: Uint8Array[]) =>
    (await pglite.execProtocol(Buffer.concat([...messages, SYNC]), { syncToFs: false })).messages

  async function prepare(text: string): Promise<Statement> {
    const name = `${prefix}_${prepared++}`
    const described = await exchange(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const statement = { name, parameterTypes: parse.parseDescribeStatementResults(described) }
    kept.set(text, statement)
    const [oldest] = kept
    if (kept.size > MAX_KEPT && oldest !== undefined) {
      kept.delete(oldest[0])
      await exchange(serialize.close({ type: 'S', name: oldest[1].name }))
    }
    return statement
  }

  const run: Query = (text, parameters = [], options) =>
    pglite.runExclusive(async () => {
      await pglite._checkReady()
      const statement = kept.get(text) ?? (await prepare(text))
      // The newest is last.
      kept.delete(text)
      kept.set(text, statement)
      const values = parameters.map((value, index) => {
        if (value === null || value === undefined) return null
        return (pglite.serializers[statement.parameterTypes[index]!] ?? String)(value)
      })
      const answered = await exchange(
        serialize.bind({ statement: statement.name, values }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
      )
      // Drizzle passes the same parsers with every query; merging them into PGlite's six hundred takes as long as a
      // query.
      parsers ??= { ...pglite.parsers, ...options?.parsers }
      const { rowMode } = options ?? {}
      return parse.parseResults(answered, parsers, rowMode && { rowMode })[0]!
    })

  return {
    query: (text, parameters, options) =>
      isKept(text)
        ? pglite._runExclusiveTransaction(() => run(text, parameters, options))
        : pglite.query(text, parameters, options),
  }
}

/** The queries that pg-boss runs for each job; those of its start, and several statements in one, are not prepared. */
const isOfEachJob = (text: string): boolean => /^\s*with\b/i.test(text) && !text.includes(';')

/** The part of a client that the queue needs: its statements never change. */
export function preparingForQueue(pglite: PGlite): Pick<PGlite, 'query' | 'exec'> {
  const { query } = preparing(pglite, { prefix: 'queue', isKept: isOfEachJob })
  return {
    query: query as PGlite['query'],
    exec: async (text) => (isOfEachJob(text) ? [await query(text)] : pglite.exec(text)),
  }
}
