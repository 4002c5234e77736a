// Queries on saved commands and on what commands did.
// What a command is and does, src/commands knows.

import { asc, count, desc, eq, inArray, lte, max, notInArray, sql } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { type CommandRunRow, commandRuns, type SavedCommandRow, savedCommands } from './writing-schema.ts'

export async function listSavedCommands(orm: Orm): Promise<SavedCommandRow[]> {
  return orm.select().from(savedCommands).orderBy(asc(savedCommands.id))
}

/** Brings the table to these rows, whatever was in it. Only inside a transaction. */
export async function replaceSavedCommands(tx: Orm, rows: readonly SavedCommandRow[]): Promise<void> {
  await tx.delete(savedCommands)
  if (rows.length > 0) await tx.insert(savedCommands).values([...rows])
}

/** Brings the table from one state to another. Only inside a transaction. */
export async function saveSavedCommands(
  tx: Orm,
  { changed, ids }: { changed: readonly SavedCommandRow[]; ids: readonly string[] },
): Promise<void> {
  // What goes comes first: its name may be another's now.
  await (ids.length === 0
    ? tx.delete(savedCommands)
    : tx.delete(savedCommands).where(notInArray(savedCommands.id, [...ids])))
  for (const row of changed)
    await tx.insert(savedCommands).values(row).onConflictDoUpdate({ target: savedCommands.id, set: row })
}

export async function noteCommandUse(orm: Orm, id: string, now: Date): Promise<void> {
  await orm
    .update(savedCommands)
    .set({ usageCount: sql`${savedCommands.usageCount} + 1`, lastUsedAt: now })
    .where(eq(savedCommands.id, id))
}

/** The largest number; 0 where there are no runs. */
export async function newestCommandRun(orm: Orm): Promise<number> {
  const [newest] = await orm.select({ number: max(commandRuns.number) }).from(commandRuns)
  return newest?.number ?? 0
}

/** Adds one and forgets the oldest beyond `keep`: the largest number among them, or 0. Only inside a transaction. */
export async function addCommandRun(
  tx: Orm,
  row: CommandRunRow,
  { keep }: { keep: number },
): Promise<number> {
  await tx.insert(commandRuns).values(row)
  const beyond = tx
    .select({ id: commandRuns.id })
    .from(commandRuns)
    .orderBy(desc(commandRuns.number))
    .offset(keep)
  const forgotten = await tx
    .delete(commandRuns)
    .where(inArray(commandRuns.id, beyond))
    .returning({ number: commandRuns.number })
  return Math.max(0, ...forgotten.map(({ number }) => number))
}

/** Newest first. */
export async function listCommandRuns(
  orm: Orm,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: CommandRunRow[]; total: number }> {
  const rows = await orm
    .select()
    .from(commandRuns)
    .orderBy(desc(commandRuns.number))
    .limit(limit)
    .offset(offset)
  const [all] = await orm.select({ count: count() }).from(commandRuns)
  return { rows, total: all?.count ?? 0 }
}

/** Those up to a number; how many there were. */
export async function deleteCommandRuns(orm: Orm, upTo: number): Promise<number> {
  const removed = await orm
    .delete(commandRuns)
    .where(lte(commandRuns.number, upTo))
    .returning({ id: commandRuns.id })
  return removed.length
}
