// What the user taught the server (dictionary, writing styles, saved commands) and set: changed by one transaction at a
// time, with a copy for people that follows soon. The rows in memory are shelf.ts, the settings src/settings.

import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import type { Orm } from '../../db/database.ts'
import { DATA_CORRUPTED, DatabaseError } from '../../db/errors.ts'
import { currentRevision, findLibrary, raiseRevision, saveLibrary } from '../../db/library.ts'
import { debounce } from '../lib/debounce.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { type CopiedRows, writeCopy } from './copy.ts'
import { removeEarlierFiles } from './earlier-files.ts'
import { type LibraryDeps, moveIn } from './move-in.ts'

/** Changes that follow each other are copied at once. */
const COPY_DELAY_MS = 300
const KEY_BYTES = 32

/** Two changes can be made one: by saving both in one transaction. */
export type Change = {
  save(tx: Orm): Promise<void>
  /** shows the change in memory, once it has committed */
  apply(): void | Promise<void>
}

export type Decision<T> = { answer: T; change: Change | null }

export type Library = {
  /** as they were stored when the library was opened; reading them is src/settings */
  storedSettings: Record<string, unknown>
  /** Decides alone, and is durable when it resolves. */
  change<T>(decide: () => Decision<T> | Promise<Decision<T>>): Promise<T>
  /** The key that signs deliveries to the webhook; the first call makes it. */
  webhookKey(): Promise<string>
  /** Begins to write the copy: now if it is behind, and after each change. */
  startCopying(content: () => CopiedRows): void
  /** Writes the copy a last time, with the uses that were counted since. */
  close(): Promise<void>
}

/** A database without a library takes over what the files of the data folder hold. */
export async function openLibrary(deps: LibraryDeps): Promise<Library> {
  const { database, dataFolder, log } = deps
  const found = await database.run(findLibrary)
  // A user may delete rows of an external database; nothing but damage does so in ours.
  if (found?.isWhole === false && database.kind === 'embedded')
    throw new DatabaseError('a table of the library has lost rows', DATA_CORRUPTED)
  const row = found ?? (await moveIn(deps))
  let { revision, copiedRevision, webhookKey } = row
  const inTurn = createKeyedLock()
  /** its transaction failed, but may have committed: only the answer was lost */
  let doubtful: Change | null = null
  let content: (() => CopiedRows) | null = null

  async function commit(change: Change): Promise<void> {
    // A commit that a read-only disk refuses half-way would end the embedded database.
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
      await writeCopy(dataFolder, { revision: written, webhookKey, ...content() })
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
