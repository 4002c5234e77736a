// The user's dictionary, in memory and in the library.

import { fail, type Result, succeed } from '../lib/result.ts'
import { createPause } from '../lib/time-slice.ts'
import { newId } from '../lib/uuid.ts'
import { openShelf, type ShelfChange, type ShelfDeps, type ShelfRows } from '../library/shelf.ts'
import { checkEntry, type EntryFault, tidyEntry } from '../text/dictionary/check-entry.ts'
import { compiled, type Dictionary } from '../text/dictionary/compile.ts'
import { type Applied, DICTIONARY_LIMITS, type Entry, type EntryContent } from '../text/dictionary/entry.ts'
import { type CountTokens, type DictionaryPrompt, dictionaryPrompt } from '../text/dictionary/prompt.ts'
import {
  DICTIONARY,
  type ImportItem,
  type ImportMode,
  type ImportPlan,
  identityOf,
  planImport,
} from './dictionary-import.ts'

export type DictionaryFailure = {
  code: 'dictionary_entry_not_found' | 'dictionary_entry_exists' | 'invalid_entry' | 'dictionary_full'
  message: string
  conflictingId?: string
  /** of an invalid entry */
  faults?: (EntryFault & { line?: number })[]
}

type Changed = Promise<Result<Entry, DictionaryFailure>>

export type DictionaryPromptOptions = {
  /** null if not known yet */
  language: string | null
  /** the initial prompts of the settings and of the request, joined */
  initialPrompt: string | null
  /** counts with the vocabulary of the model; without it, bytes are counted */
  countTokens?: CountTokens
  /** terms for this request only */
  keywords?: readonly string[]
}

export type TaughtDictionary = {
  /** in order of creation */
  list(): readonly Entry[]
  get(id: string): Entry | null
  /** the failure if another entry has the same identity; `ownId` is the entry that this one replaces */
  conflict(content: EntryContent, ownId: string | null): DictionaryFailure | null
  create(content: EntryContent, source?: Entry['source']): Changed
  change(id: string, patch: Partial<EntryContent>): Changed
  remove(id: string): Changed
  /** returns the number of deleted entries */
  clear(): Promise<number>
  /**
   * All or nothing. A merge skips invalid entries; a replacement with an invalid entry changes nothing. A dry run only
   * returns the outcome.
   */
  import(
    items: readonly ImportItem[],
    mode: ImportMode,
    how?: { isDryRun: boolean },
  ): Promise<Result<Omit<ImportPlan, 'entries'>, DictionaryFailure>>
  /** cached until the next change */
  compiled(): Promise<Dictionary>
  prompt(options: DictionaryPromptOptions): DictionaryPrompt
  /** Counts in memory and stores the counts within seconds. */
  noteUse(applied: readonly Applied[]): void
  /** stores the remaining counts */
  close(): Promise<void>
}

export async function openDictionary(deps: ShelfDeps): Promise<TaughtDictionary> {
  const { clock } = deps
  let compiling: Promise<Dictionary> | null = null
  const shelf = await openShelf(DICTIONARY, deps, async (before, change) => {
    compiling = null
    await updateIdentities(before, change)
  })
  const entries = shelf.rows
  const identities = new Map([...entries().values()].map((entry) => [identityOf(entry), entry.id]))

  async function updateIdentities(
    before: ShelfRows<Entry>,
    { removed, changed }: { removed: readonly string[]; changed: readonly Entry[] },
  ): Promise<void> {
    const pause = createPause()
    for (const id of [...removed, ...changed.map(({ id }) => id)]) {
      const old = before.get(id)
      if (old) identities.delete(identityOf(old))
      await pause()
    }
    for (const entry of changed) {
      identities.set(identityOf(entry), entry.id)
      await pause()
    }
  }

  /** The reason to reject an entry; `ownId` is the entry that it replaces. */
  function refusalOf(content: EntryContent, ownId: string | null): DictionaryFailure | null {
    const faults = checkEntry(content)
    if (faults.length > 0) return { code: 'invalid_entry', message: 'The entry is not valid.', faults }
    return conflictOf(content, ownId)
  }

  function conflictOf(content: EntryContent, ownId: string | null): DictionaryFailure | null {
    const other = entries().get(identities.get(identityOf(content)) ?? '')
    return other === undefined || other.id === ownId ? null : existsFailure(other)
  }

  function put(entry: Entry): EntryChange {
    const next = new Map(entries()).set(entry.id, entry)
    const full = fullness([...next.values()])
    return full === null ? { next, answer: succeed(entry) } : refused(full)
  }

  function without(entry: Entry): EntryChange {
    const next = new Map(entries())
    next.delete(entry.id)
    return { next, answer: succeed(entry) }
  }

  const changing = (id: string, change: (entry: Entry) => EntryChange): Changed =>
    shelf.change(() => {
      const entry = entries().get(id)
      return entry === undefined ? refused(notFound(id)) : change(entry)
    })

  return {
    list: () => [...entries().values()],
    get: (id) => entries().get(id) ?? null,
    conflict: (content, ownId) => conflictOf(tidyEntry(content), ownId),
    create: (given, source = 'manual') =>
      shelf.change<Awaited<Changed>>(() => {
        const content = tidyEntry(given)
        const refusal = refusalOf(content, null)
        if (refusal !== null) return refused(refusal)
        const now = clock()
        const unused = { source, usageCount: 0, lastUsedAt: null }
        return put({ ...content, ...unused, id: newId(now), createdAt: now, updatedAt: now })
      }),
    change: (id, patch) =>
      changing(id, (entry) => {
        const content = { ...entry, ...tidyEntry({ ...entry, ...patch }) }
        const refusal = refusalOf(content, id)
        return refusal === null ? put({ ...content, updatedAt: clock() }) : refused(refusal)
      }),
    remove: (id) => changing(id, without),
    clear: () => shelf.change(() => ({ next: new Map(), answer: entries().size })),
    import: (items, mode, { isDryRun } = { isDryRun: false }) =>
      shelf.change<Awaited<ReturnType<TaughtDictionary['import']>>>(async () => {
        const planned = await planImport([...entries().values()], { items, mode, now: clock() })
        const { entries: next, ...outcome } = planned
        const { faults } = outcome
        if (mode === 'replace' && faults.length > 0)
          return refused({ code: 'invalid_entry', message: 'Some of the entries are not valid.', faults })
        const full = fullness(next)
        if (full !== null) return refused(full)
        return {
          next: isDryRun ? null : new Map(next.map((entry) => [entry.id, entry])),
          answer: succeed(outcome),
        }
      }),
    compiled: () => (compiling ??= compiled([...entries().values()])),
    prompt: ({ language, initialPrompt, countTokens, keywords = [] }) => {
      const enabled = [...entries().values()].filter((entry) => entry.enabled)
      return dictionaryPrompt({ entries: enabled, keywords, language, texts: [initialPrompt], countTokens })
    },
    noteUse: (applied) => shelf.noteUses(applied),
    close: shelf.close,
  }
}

type EntryChange = ShelfChange<Entry, Awaited<Changed>>

const refused = (failure: DictionaryFailure) => ({ next: null, answer: fail(failure) })

const notFound = (id: string): DictionaryFailure => ({
  code: 'dictionary_entry_not_found',
  message: `There is no dictionary entry ${id}.`,
})

const existsFailure = ({ id, word, language }: Entry): DictionaryFailure => ({
  code: 'dictionary_entry_exists',
  message: `"${word}" is already in the dictionary, for ${language === null ? 'all languages' : `the language ${language}`}.`,
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
  const message = `The dictionary would be too large: the limit is ${maxEntries} entries and ${maxCharacters} characters.`
  return { code: 'dictionary_full', message }
}
