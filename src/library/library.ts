// The user's dictionary, writing styles, saved commands and settings: changed by one transaction at a time, with a
// readable copy that follows soon.

import { randomBytes } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import type { Orm } from '../../db/database.ts'
import { DATA_CORRUPTED, DatabaseError } from '../../db/errors.ts'
import {
  findLibrary,
  libraryRevision,
  lockLibrary,
  noteLibraryCopied,
  raiseRevision,
  saveWebhookKey,
} from '../../db/library.ts'
import { debounce } from '../lib/debounce.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { type CopiedRows, writeCopy } from './copy.ts'
import { type LibraryDeps, moveIn, removeEarlierFiles } from './move-in.ts'

/** Changes within this time are copied together. */
const COPY_DELAY_MS = 300
const KEY_BYTES = 32
/** How often a server looks whether another has changed the library: the notification may be lost. */
const LOOK_MS = 10_000

/** Two changes can be combined: by saving both in one transaction. */
export type Change = {
  save(tx: Orm): Promise<void>
  /** applies the change in memory after its commit */
  apply(): void | Promise<void>
}

/** Reads what is stored, and returns what shows it in memory. */
export type Load = (tx: Orm, settings: Record<string, unknown>) => Promise<Change['apply']>

export type Decision<T> = { answer: T; change: Change | null }
type Decide<T> = () => Decision<T> | Promise<Decision<T>>

export type Library = {
  /** as stored when the library was opened; src/settings parses them */
  storedSettings: Record<string, unknown>
  /**
   * Runs `decide` while no other change of this server runs; durable once it resolves. If another server was faster,
   * `decide` runs again on the state that it left.
   */
  change<T>(decide: Decide<T>): Promise<T>
  /** Takes over the changes of other servers. Never throws. */
  refresh(): Promise<void>
  /** Calls `load` whenever another server's changes are taken over. */
  onLoad(load: Load): void
  /** The key that signs webhook deliveries; the first call creates it. */
  webhookKey(): Promise<string>
  /** Starts writing the copy: now if it is behind, and after each change. */
  startCopying(content: () => CopiedRows): void
  /** Writes the copy a last time, with the uses counted since. */
  close(): Promise<void>
}

type Deps = LibraryDeps & {
  /** called after each change of this server */
  onChanged?: () => void
}

/** Another server has changed the library since it was read. */
class StaleLibraryError extends Error {}

/** A database without a library is filled from the files of the data folder. */
export async function openLibrary({ onChanged = () => {}, ...deps }: Deps): Promise<Library> {
  const { database, dataFolder, store, log } = deps
  const found = await database.run(findLibrary)
  // A user may delete rows of an external database; in the embedded one only damage does.
  if (found?.isWhole === false && database.kind === 'embedded')
    throw new DatabaseError('a table of the library has lost rows', DATA_CORRUPTED)
  const row = found ?? (await moveIn(deps))
  let { revision, copiedRevision, webhookKey } = row
  const inTurn = createKeyedLock()
  const loaders: Load[] = []
  /** a transaction failed, but may have committed: only the result was lost */
  let isDoubtful = false
  let content: (() => CopiedRows) | null = null

  /** Takes over what is stored, if it is not what is in memory. The row stays locked until the transaction ends. */
  async function takeOver(tx: Orm): Promise<void> {
    const stored = await lockLibrary(tx)
    if (stored.revision === revision) return
    const loaded: Change['apply'][] = []
    for (const load of loaders) loaded.push(await load(tx, stored.settings))
    revision = stored.revision
    webhookKey = stored.webhookKey
    for (const apply of loaded) await apply()
    copying.request()
  }

  async function reload(): Promise<void> {
    await database.transaction(takeOver)
    isDoubtful = false
  }

  async function save(tx: Orm, change: Change): Promise<void> {
    await change.save(tx)
    await raiseRevision(tx, revision + 1)
  }

  async function show(change: Change): Promise<void> {
    revision += 1
    isDoubtful = false
    await change.apply()
    copying.request()
    onChanged()
  }

  /** @throws StaleLibraryError, and then nothing has changed */
  async function commit(change: Change): Promise<void> {
    // A commit that fails half-way on a read-only disk would end the embedded database.
    if (database.kind === 'embedded') accessSync(dataFolder, constants.W_OK)
    isDoubtful = true
    await database.transaction(async (tx) => {
      if ((await lockLibrary(tx)).revision !== revision) throw new StaleLibraryError()
      await save(tx, change)
    })
    await show(change)
  }

  /** Decides while the row is locked, so that no other server can be faster once more. */
  async function commitLocked<T>(decide: Decide<T>): Promise<T> {
    const decided = await database.transaction(async (tx) => {
      await takeOver(tx)
      const decision = await decide()
      if (decision.change !== null) await save(tx, decision.change)
      return decision
    })
    if (decided.change !== null) await show(decided.change)
    return decided.answer
  }

  const change: Library['change'] = (decide) =>
    inTurn('library', async () => {
      if (isDoubtful) await reload()
      const decided = await decide()
      if (decided.change === null) return decided.answer
      try {
        await commit(decided.change)
        return decided.answer
      } catch (error) {
        if (!(error instanceof StaleLibraryError)) throw error
        return commitLocked(decide)
      }
    })

  const refresh = () =>
    inTurn('library', async () => {
      if (isDoubtful || (await database.run(libraryRevision)) !== revision) await reload()
    }).catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'could not read the changes of another server; trying again'),
    )

  async function copy(): Promise<void> {
    if (content === null) return
    const written = revision
    try {
      await writeCopy(store, { revision: written, webhookKey, ...content() })
      if (copiedRevision === null) await removeEarlierFiles(dataFolder, deps.parts)
      if (copiedRevision === written) return
      await database.run((orm) => noteLibraryCopied(orm, written))
      copiedRevision = written
    } catch (error) {
      log.warn(
        { reason: String(error) },
        'library.json is behind the database; the next change, stop or start writes it',
      )
    }
  }

  const copying = debounce(copy, COPY_DELAY_MS)
  const looking = database.kind === 'external' ? setInterval(refresh, LOOK_MS) : undefined

  return {
    storedSettings: row.settings,
    change,
    refresh,
    onLoad: (load) => void loaders.push(load),
    webhookKey: async () =>
      webhookKey ??
      (await change<string>(() => {
        if (webhookKey !== null) return { answer: webhookKey, change: null }
        const made = randomBytes(KEY_BYTES).toString('hex')
        const apply = () => {
          webhookKey = made
        }
        return { answer: made, change: { save: (tx) => saveWebhookKey(tx, made), apply } }
      })),
    startCopying(given) {
      content = given
      if (copiedRevision !== revision) copying.request()
    },
    async close() {
      clearInterval(looking)
      // An older copy must not replace that of another server.
      if (database.kind === 'external') await refresh()
      copying.request()
      await copying.flush()
    },
  }
}
