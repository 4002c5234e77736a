// Queries on the history of commands.

import { count, desc, inArray, lte, max } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { type CommandRunRow, commandRuns } from './writing-schema.ts'

/** Adds a run as the newest and deletes the oldest beyond `keep`. Only inside a transaction. */
export async function addCommandRun(
  tx: Orm,
  row: Omit<CommandRunRow, 'number'>,
  { keep }: { keep: number },
): Promise<void> {
  const [newest] = await tx.select({ number: max(commandRuns.number) }).from(commandRuns)
  await tx.insert(commandRuns).values({ ...row, number: (newest?.number ?? 0) + 1 })
  const beyond = tx
    .select({ id: commandRuns.id })
    .from(commandRuns)
    .orderBy(desc(commandRuns.number))
    .offset(keep)
  await tx.delete(commandRuns).where(inArray(commandRuns.id, beyond))
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

/** Returns the number of deleted runs; `upTo` spares runs with larger numbers. */
export async function deleteCommandRuns(orm: Orm, upTo = Number.MAX_SAFE_INTEGER): Promise<number> {
  const removed = await orm
    .delete(commandRuns)
    .where(lte(commandRuns.number, upTo))
    .returning({ id: commandRuns.id })
  return removed.length
}
