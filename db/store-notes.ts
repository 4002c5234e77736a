// Which shared store the recordings of this database are in.

import type { Orm } from './database.ts'
import { storeNotes } from './schema.ts'

const NOTE_ID = 1

type StoreNote = Omit<typeof storeNotes.$inferSelect, 'id'>

/** Null: the recordings are in the data folder. */
export async function findStoreNote(orm: Orm): Promise<StoreNote | null> {
  const [row] = await orm.select().from(storeNotes)
  return row ?? null
}

/** Notes the store unless one is noted; returns the noted one. */
export async function noteStore(orm: Orm, storeId: string): Promise<StoreNote | null> {
  await orm.insert(storeNotes).values({ id: NOTE_ID, storeId }).onConflictDoNothing()
  return findStoreNote(orm)
}

export async function noteFilled(orm: Orm): Promise<void> {
  await orm.update(storeNotes).set({ isFilled: true })
}
