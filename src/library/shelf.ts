// The rows of one part of the library in memory, in step with their table, with their use counts.

import type { Database } from '../../db/database.ts'
import type { TaughtRow, Uses } from '../../db/library.ts'
import type { Clock } from '../lib/clock.ts'
import { debounce } from '../lib/debounce.ts'
import type { Log } from '../lib/log.ts'
import { inBatches } from '../lib/time-slice.ts'
import { type LibraryPart, withUses } from './copy.ts'
import type { Change, Library } from './library.ts'

/** Use counts are stored with this delay so that no text waits for them; a crash loses the last seconds. */
const COUNT_DELAY_MS = 5000
/** rows per statement; the event loop runs between statements */
const ROWS_AT_ONCE = 500

export type ShelfDeps = { database: Database; library: Library; clock: Clock; log: Log }

export type ShelfRows<Row> = ReadonlyMap<string, Row>

/** The new rows and the result for the caller; `next` is null if nothing changes. */
export type ShelfChange<Row, T> = { next: ShelfRows<Row> | null; answer: T }

export type Shelf<Row> = {
  /** by id */
  rows(): ShelfRows<Row>
  /** The change that stores these rows; null if they are unchanged. Call it within the library's turn. */
  changeTo(next: ShelfRows<Row>): Change | null
  /** Runs `decide` while no other change runs; durable once it resolves. */
  change<T>(decide: () => ShelfChange<Row, T> | Promise<ShelfChange<Row, T>>): Promise<T>
  /** Visible at once and stored soon. */
  noteUses(uses: Iterable<{ id: string; count: number }>): void
  /** Stores the remaining counts. */
  close(): Promise<void>
}

export async function openShelf<Row extends TaughtRow, Stored extends TaughtRow>(
  { table, toStored, fromStored }: LibraryPart<Row, Stored>,
  { database, library, clock, log }: ShelfDeps,
  /** called after each change with the previous rows */
  onChange: (
    before: ShelfRows<Row>,
    what: { changed: readonly Row[]; removed: readonly string[] },
  ) => Promise<void> = async () => {},
): Promise<Shelf<Row>> {
  const stored = await database.run((orm) => table.list(orm))
  let rows = new Map(stored.map(fromStored).map((row) => [row.id, row]))
  let used = new Map<string, Uses>()

  const counting = debounce(async () => {
    const uses = used
    used = new Map()
    await database
      .run((orm) => table.addUses(orm, [...uses.values()]))
      .catch((error: unknown) => {
        log.warn({ entries: uses.size, reason: String(error) }, 'could not store use counts')
        for (const one of uses.values()) addUse(one)
      })
  }, COUNT_DELAY_MS)

  const addUse = ({ id, count, lastUsedAt }: Uses): void => {
    used.set(id, { id, count: (used.get(id)?.count ?? 0) + count, lastUsedAt })
  }

  library.onLoad(async (tx) => {
    const now = (await table.list(tx)).map(fromStored)
    return async () => {
      const before = rows
      const next = new Map(now.map((row) => [row.id, unchanged(before.get(row.id), withPending(row))]))
      const changed = [...next.values()].filter((row) => before.get(row.id) !== row)
      const removed = [...before.keys()].filter((id) => !next.has(id))
      rows = next
      await onChange(before, { changed, removed })
    }
  })

  const withPending = (row: Row): Row => {
    const uses = used.get(row.id)
    return uses === undefined
      ? row
      : { ...row, usageCount: row.usageCount + uses.count, lastUsedAt: uses.lastUsedAt }
  }

  function changeTo(next: ShelfRows<Row>): Change | null {
    const changed = [...next.values()].filter((row) => rows.get(row.id) !== row)
    const removed = [...rows.keys()].filter((id) => !next.has(id))
    if (changed.length === 0 && removed.length === 0) return null
    return {
      async save(tx) {
        // Removals first: a new row may take the name of a removed one.
        await inBatches(removed, ROWS_AT_ONCE, (ids) => table.remove(tx, ids))
        await inBatches(changed, ROWS_AT_ONCE, (some) => table.save(tx, some.map(toStored)))
      },
      async apply() {
        const before = rows
        // Uses may have been counted since the change was decided.
        rows = new Map([...next].map(([id, row]) => [id, withUses(row, before.get(id))]))
        await onChange(before, { changed, removed })
      },
    }
  }

  return {
    rows: () => rows,
    changeTo,
    change: (decide) =>
      library.change(async () => {
        const { next, answer } = await decide()
        return { answer, change: next && changeTo(next) }
      }),
    noteUses(uses) {
      const lastUsedAt = clock()
      for (const { id, count } of uses) {
        const row = rows.get(id)
        if (row === undefined) continue
        rows.set(id, { ...row, usageCount: row.usageCount + count, lastUsedAt })
        addUse({ id, count, lastUsedAt })
      }
      if (used.size > 0) counting.request()
    },
    close: () => counting.flush(),
  }
}

/** The same object, where nothing has changed: caches refer to it. */
const unchanged = <Row>(before: Row | undefined, row: Row): Row =>
  before !== undefined && Bun.deepEquals(before, row) ? before : row
