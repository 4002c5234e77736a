// Keeps the dictionary: in memory to work with, in the database, and in a file that survives a power cut.
// What it makes of texts is src/text/dictionary; how it is after a start is settle-dictionary.ts.

import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { listDictionary, replaceDictionary, saveDictionary, saveDictionaryUses } from '../../db/dictionary.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { inBatches, inSlices, type Sliced } from '../lib/slices.ts'
import { newId } from '../lib/uuid.ts'
import { checkEntry, type EntryFault, tidyEntry } from '../text/dictionary/check-entry.ts'
import { compiled, type Dictionary } from '../text/dictionary/compile.ts'
import {
  type Applied,
  DICTIONARY_LIMITS,
  type Entry,
  type EntryContent,
  EntrySchema,
} from '../text/dictionary/entry.ts'
import { type CountTokens, type DictionaryPrompt, dictionaryPrompt } from '../text/dictionary/prompt.ts'
import { type ImportItem, type ImportMode, type ImportPlan, planImport } from './dictionary-import.ts'
import { createMirror } from './mirror.ts'
import { entryOf, entryRow, identityOf, settleDictionary } from './settle-dictionary.ts'
import { createUseCounts } from './use-counts.ts'

export const DICTIONARY_FILE = 'dictionary.json'

/** Rows in one transaction: everybody else waits for it, and the embedded database writes ten in a millisecond. */
const ROWS_AT_ONCE = 100

export type DictionaryFailure = {
  code: 'dictionary_entry_not_found' | 'dictionary_entry_exists' | 'invalid_entry' | 'dictionary_full'
  message: string
  conflictingId?: string
  /** of an invalid entry */
  faults?: (EntryFault & { line?: number })[]
}

type Changed = Promise<Result<Entry, DictionaryFailure>>

export type DictionaryPromptOptions = {
  /** null: not known yet */
  language: string | null
  /** the settings' and the request's own, joined */
  initialPrompt: string | null
  /** of the model that is to hear it; bytes are counted without it */
  countTokens?: CountTokens
  /** terms of the request alone */
  keywords?: readonly string[]
}

export type TaughtDictionary = {
  /** in the order they were made */
  list(): readonly Entry[]
  get(id: string): Entry | null
  /** the one that there is already instead of such an entry, beside the one that it is to replace */
  conflict(content: EntryContent, ownId: string | null): DictionaryFailure | null
  create(content: EntryContent, source?: Entry['source']): Changed
  change(id: string, patch: Partial<EntryContent>): Changed
  remove(id: string): Changed
  /** how many there were */
  clear(): Promise<number>
  /**
   * All or nothing, but entries that are wrong are left out of a merge; a replacement with one changes nothing. A dry run
   * only says what would become of them.
   */
  import(
    items: readonly ImportItem[],
    mode: ImportMode,
    how?: { isDryRun: boolean },
  ): Promise<Result<Omit<ImportPlan, 'entries'>, DictionaryFailure>>
  /** made anew only after a change */
  compiled(): Promise<Dictionary>
  prompt(options: DictionaryPromptOptions): Promise<DictionaryPrompt>
  /** Counts soon, and waits for nothing. */
  noteUse(applied: readonly Applied[]): void
  /** writes the counts that are left */
  close(): Promise<void>
}

type DictionaryDeps = { database: Database; dataFolder: string; clock: Clock; log: Log }

/** The file wins over the table: a power cut may have taken back what the database held. */
export async function openDictionary({
  database,
  dataFolder,
  clock,
  log,
}: DictionaryDeps): Promise<TaughtDictionary> {
  const mirror = createMirror({
    path: join(dataFolder, DICTIONARY_FILE),
    schema: EntrySchema,
    log,
    clock,
  })
  const inTurn = createKeyedLock()
  const mirrored = await mirror.read()
  const stored = (await database.run(listDictionary)).map(entryOf)
  const settled = settleDictionary(mirrored, stored)
  if (!Bun.deepEquals(settled, mirrored ?? [])) await mirror.write(settled)
  if (!Bun.deepEquals(settled, stored))
    await database.transaction((tx) => replaceDictionary(tx, settled.map(entryRow)))

  let entries = new Map(settled.map((entry) => [entry.id, entry]))
  const identities = new Map(settled.map((entry) => [identityOf(entry), entry.id]))
  let compiling: Promise<Dictionary> | null = null
  /** ids of which the table may say anything, since saving them failed */
  let unsaved = new Set<string>()
  const counts = createUseCounts({
    log,
    write: (ids) =>
      inBatches(ids, ROWS_AT_ONCE, (some) =>
        database.run((orm) =>
          saveDictionaryUses(
            orm,
            some.flatMap((id) => entries.get(id) ?? []),
          ),
        ),
      ),
  })

  /** The file says at once what holds; the rows follow it in short transactions, and a start reads them only without it. */
  async function save(next: ReadonlyMap<string, Entry>): Promise<void> {
    const changed = [...next.values()].filter(({ id }) => entries.get(id) !== next.get(id) || unsaved.has(id))
    const gone = [...entries.keys()].filter((id) => !next.has(id))
    if (changed.length === 0 && gone.length === 0) return
    await mirror.write([...next.values()])
    const removed = new Set([...gone, ...unsaved])
    unsaved = new Set([...changed.map(({ id }) => id), ...removed])
    try {
      // What goes comes first: its word may be another's afterwards.
      await inBatches([...removed], ROWS_AT_ONCE, (ids) => saveRows({ changed: [], removed: ids }))
      await inBatches(changed, ROWS_AT_ONCE, (some) => saveRows({ changed: some.map(entryRow), removed: [] }))
    } catch (error) {
      await mirror.putBack([...entries.values()])
      throw error
    }
    unsaved = new Set()
    const before = entries
    // Uses that were noted meanwhile are not lost.
    entries = new Map([...next.values()].map((entry) => [entry.id, withUsesOf(before.get(entry.id), entry)]))
    compiling = null
    await inSlices(identifyAnew(before, { gone, changed }))
  }

  const saveRows = (rows: Parameters<typeof saveDictionary>[1]) =>
    database.transaction((tx) => saveDictionary(tx, rows))

  function* identifyAnew(
    before: ReadonlyMap<string, Entry>,
    { gone, changed }: { gone: readonly string[]; changed: readonly Entry[] },
  ): Sliced<void> {
    for (const id of [...gone, ...changed.map(({ id }) => id)]) {
      const old = before.get(id)
      if (old) identities.delete(identityOf(old))
      yield
    }
    for (const entry of changed) {
      identities.set(identityOf(entry), entry.id)
      yield
    }
  }

  /** Why an entry cannot be one of the dictionary, beside the one it replaces. */
  function refusalOf(content: EntryContent, ownId: string | null): DictionaryFailure | null {
    const faults = checkEntry(content)
    if (faults.length > 0) return { code: 'invalid_entry', message: 'The entry is not valid.', faults }
    return conflictOf(content, ownId)
  }

  function conflictOf(content: EntryContent, ownId: string | null): DictionaryFailure | null {
    const other = entries.get(identities.get(identityOf(content)) ?? '')
    return other === undefined || other.id === ownId ? null : existsFailure(other)
  }

  async function put(entry: Entry): Changed {
    const next = new Map(entries).set(entry.id, entry)
    const full = fullness([...next.values()])
    if (full !== null) return fail(full)
    await save(next)
    return succeed(entry)
  }

  return {
    list: () => [...entries.values()],
    get: (id) => entries.get(id) ?? null,
    conflict: (content, ownId) => conflictOf(tidyEntry(content), ownId),
    create: (given, source = 'manual') =>
      inTurn('dictionary', async () => {
        const content = tidyEntry(given)
        const refusal = refusalOf(content, null)
        if (refusal !== null) return fail(refusal)
        const now = clock()
        const unused = { source, usageCount: 0, lastUsedAt: null }
        return put({ ...content, ...unused, id: newId(now), createdAt: now, updatedAt: now })
      }),
    change: (id, patch) =>
      inTurn('dictionary', async () => {
        const entry = entries.get(id)
        if (entry === undefined) return fail(notFound(id))
        const content = { ...entry, ...tidyEntry({ ...entry, ...patch }) }
        const refusal = refusalOf(content, id)
        return refusal === null ? put({ ...content, updatedAt: clock() }) : fail(refusal)
      }),
    remove: (id) =>
      inTurn('dictionary', async () => {
        const entry = entries.get(id)
        if (entry === undefined) return fail(notFound(id))
        const next = new Map(entries)
        next.delete(id)
        await save(next)
        return succeed(entry)
      }),
    clear: () =>
      inTurn('dictionary', async () => {
        const count = entries.size
        await save(new Map())
        return count
      }),
    import: (items, mode, { isDryRun } = { isDryRun: false }) =>
      inTurn('dictionary', async () => {
        const planned = planImport([...entries.values()], { items, mode, now: clock() })
        const { entries: next, ...outcome } = await inSlices(planned)
        const { faults } = outcome
        if (mode === 'replace' && faults.length > 0)
          return fail({ code: 'invalid_entry', message: 'Some of the entries are not valid.', faults })
        const full = fullness(next)
        if (full !== null) return fail(full)
        if (!isDryRun) await save(new Map(next.map((entry) => [entry.id, entry])))
        return succeed(outcome)
      }),
    compiled: () => (compiling ??= inSlices(compiled([...entries.values()]))),
    prompt: ({ language, initialPrompt, countTokens, keywords = [] }) => {
      const enabled = [...entries.values()].filter((entry) => entry.enabled)
      return inSlices(
        dictionaryPrompt({ entries: enabled, keywords, language, texts: [initialPrompt], countTokens }),
      )
    },
    noteUse(applied) {
      const lastUsedAt = clock()
      for (const { id, count } of applied) {
        const entry = entries.get(id)
        if (entry) entries.set(id, { ...entry, usageCount: entry.usageCount + count, lastUsedAt })
      }
      counts.note(applied.map(({ id }) => id))
    },
    close: () => counts.flush(),
  }
}

const notFound = (id: string): DictionaryFailure => ({
  code: 'dictionary_entry_not_found',
  message: `There is no dictionary entry ${id}.`,
})

const existsFailure = ({ id, word, language }: Entry): DictionaryFailure => ({
  code: 'dictionary_entry_exists',
  message: `"${word}" is in the dictionary already, for ${language === null ? 'all languages' : `the language ${language}`}.`,
  conflictingId: id,
})

function fullness(entries: readonly Entry[]): DictionaryFailure | null {
  const { entries: maxEntries, characters: maxCharacters } = DICTIONARY_LIMITS
  const characters = entries.reduce(
    (sum, { word, aliases, replacement }) =>
      sum + word.length + (replacement?.length ?? 0) + aliases.reduce((all, alias) => all + alias.length, 0),
    0,
  )
  if (entries.length <= maxEntries && characters <= maxCharacters) return null
  const message = `The dictionary would be too large: it holds ${maxEntries} entries and ${maxCharacters} characters.`
  return { code: 'dictionary_full', message }
}

const withUsesOf = (noted: Entry | undefined, entry: Entry): Entry =>
  noted === undefined || noted.usageCount <= entry.usageCount
    ? entry
    : { ...entry, usageCount: noted.usageCount, lastUsedAt: noted.lastUsedAt }
