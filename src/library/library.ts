// The user's dictionary, writing styles, saved commands and settings: changed by one transaction at a time, with a
// readable copy that follows soon.

import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import type { Orm } from '../../db/database.ts'
import { DATA_CORRUPTED, DatabaseError } from '../../db/errors.ts'
import { currentRevision, findLibrary, raiseRevision, saveLibrary } from '../../db/library.ts'
import { debounce } from '../lib/debounce.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { type CopiedRows, writeCopy } from './copy.ts'
import { type LibraryDeps, moveIn, removeEarlierFiles } from './move-in.ts'

/** Changes within this time are copied together. */
const COPY_DELAY_MS = 300
const KEY_BYTES = 32

/** Two changes can be combined: by saving both in one transaction. */
export type Change = {
  save(tx: Orm): Promise<void>
  /** applies the change in memory after its commit */
  apply(): void | Promise<void>
}

export type Decision<T> = { answer: T; change: Change | null }

export type Library = {
  /** as stored when the library was opened; src/settings parses them */
  storedSettings: Record<string, unknown>
  /** Runs `decide` while no other change runs; durable once it resolves. */
  change<T>(decide: () => Decision<T> | Promise<Decision<T>>): Promise<T>
  /** The key that signs webhook deliveries; the first call creates it. */
  webhookKey(): Promise<string>
  /** Starts writing the copy: now if it is behind, and after each change. */
  startCopying(content: () => CopiedRows): void
  /** Writes the copy a last time, with the uses counted since. */
  close(): Promise<void>
}

/** A database without a library is filled from the files of the data folder. */
export async function openLibrary(deps: LibraryDeps): Promise<Library> {
  const { database, dataFolder, store, log } = deps
  const found = await database.run(findLibrary)
  // A user may delete rows of an external database; in the embedded one only damage does.
  if (found?.isWhole === false && database.kind === 'embedded')
    throw new DatabaseError('a table of the library has lost rows', DATA_CORRUPTED)
  const row = found ?? (await moveIn(deps))
  let { revision, copiedRevision, webhookKey } = row
  const inTurn = createKeyedLock()
  /** its transaction failed, but may have committed: only the result was lost */
  let doubtful: Change | null = null
  let content: (() => CopiedRows) | null = null

  async function commit(change: Change): Promise<void> {
    // A commit that fails half-way on a read-only disk would end the embedded database.
    if (database.kind === 'embedded') accessSync(dataFolder, constants.W_OK)
    doubtful = change
    await database.transaction(async (tx) => {
      await currentRevision(tx)
      await change.save(tx)
      await raiseRevision(tx, revision + 1)
    })
    await show(change)
  }

  async function show(change: Change): Promise<void> {
    revision += 1
    doubtful = null
    await change.apply()
    copying.request()
  }

  async function resolveDoubt(change: Change): Promise<void> {
    if ((await database.transaction(currentRevision)) > revision) await show(change)
    doubtful = null
  }

  const change: Library['change'] = (decide) =>
    inTurn('library', async () => {
      if (doubtful !== null) await resolveDoubt(doubtful)
      const decided = await decide()
      if (decided.change !== null) await commit(decided.change)
      return decided.answer
    })

  async function copy(): Promise<void> {
    if (content === null) return
    const written = revision
    try {
      await writeCopy(store, { revision: written, webhookKey, ...content() })
      if (copiedRevision === null) await removeEarlierFiles(dataFolder, deps.parts)
      if (copiedRevision === written) return
      await database.run((orm) => saveLibrary(orm, { copiedRevision: written }))
      copiedRevision = written
    } catch (error) {
      log.warn(
        { reason: String(error) },
        'library.json is behind the database; the next change, stop or start writes it',
      )
    }
  }

  const copying = debounce(copy, COPY_DELAY_MS)

  return {
    storedSettings: row.settings,
    change,
    webhookKey: async () =>
      webhookKey ??
      (await change<string>(() => {
        if (webhookKey !== null) return { answer: webhookKey, change: null }
        const made = randomBytes(KEY_BYTES).toString('hex')
        const apply = () => {
          webhookKey = made
        }
        return { answer: made, change: { save: (tx) => saveLibrary(tx, { webhookKey: made }), apply } }
      })),
    startCopying(given) {
      content = given
      if (copiedRevision !== revision) copying.request()
    },
    async close() {
      copying.request()
      await copying.flush()
    },
  }
}
