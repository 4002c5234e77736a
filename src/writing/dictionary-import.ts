// Plans an import into the dictionary, as a part of the library: which entries are new, changed, unchanged or invalid. Stores nothing.

import { dictionaryTable } from '../../db/library.ts'
import type { DictionaryRow } from '../../db/writing-schema.ts'
import { createPause } from '../lib/time-slice.ts'
import { newId } from '../lib/uuid.ts'
import type { LibraryPart } from '../library/copy.ts'
import {
  checkEntry,
  type EntryFault,
  entryKey,
  tidyEntry,
  withOmission,
} from '../text/dictionary/check-entry.ts'
import {
  type Entry,
  type EntryContent,
  EntrySchema,
  impliedType,
  NEW_ENTRY,
} from '../text/dictionary/entry.ts'

export const DICTIONARY: LibraryPart<Entry, DictionaryRow> = {
  key: 'dictionary',
  earlierFile: 'dictionary.json',
  schema: EntrySchema,
  table: dictionaryTable,
  toStored: (entry) => ({ ...entry, folded: entryKey(entry) }),
  fromStored: ({ folded: _folded, ...entry }) => entry,
  settle: reconcileDictionary,
}

/** Unique among all entries. */
export const identityOf = (entry: Parameters<typeof entryKey>[0]): string =>
  `${entry.language ?? ''} ${entryKey(entry)}`

/** Tidies entries, drops those with a duplicate id or word, and sorts by creation. */
function reconcileDictionary(written: readonly Entry[]): Entry[] {
  const [ids, identities] = [new Set<string>(), new Set<string>()]
  return written
    .map((entry) => ({ ...entry, ...tidyEntry(withOmission(entry)) }))
    .filter((entry) => {
      const identity = identityOf(entry)
      if (entry.word === '' || ids.has(entry.id) || identities.has(identity)) return false
      ids.add(entry.id)
      identities.add(identity)
      return true
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

export const IMPORT_MODES = ['merge', 'replace'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** One entry of a file; missing fields are as in a new entry. */
export type ImportItem = Partial<EntryContent> & { word: string } & {
  /** line in the file, from 1; the index of the item if the format has no lines */
  line: number
  source?: Entry['source']
  usageCount?: number
  lastUsedAt?: Date | null
  createdAt?: Date
}

export type ImportFault = { line: number } & EntryFault

export type ImportPlan = {
  /** the whole dictionary afterwards */
  entries: Entry[]
  imported: number
  updated: number
  /** entries that exist unchanged, or that a later line of the file repeats */
  skipped: number
  /** in mode `replace`: entries that the file does not contain */
  removed: number
  /** the new and the changed entries, in the order of the file */
  changes: ImportChange[]
  faults: ImportFault[]
}

export type ImportChange = { change: 'added' | 'updated'; entry: Entry }

const MAX_FAULTS = 1000

export async function planImport(
  existing: readonly Entry[],
  { items, mode, now }: { items: readonly ImportItem[]; mode: ImportMode; now: Date },
): Promise<ImportPlan> {
  const pause = createPause()
  const byIdentity = new Map<string, Entry>()
  for (const entry of existing) {
    byIdentity.set(identityOf(entry), entry)
    await pause()
  }
  const plan: ImportPlan = {
    entries: [],
    imported: 0,
    updated: 0,
    skipped: 0,
    removed: 0,
    changes: [],
    faults: [],
  }
  const wanted = new Map<string, { item: ImportItem; content: EntryContent }>()
  for (const item of items) {
    const content = contentOf(item)
    const faults = checkEntry(content)
    if (plan.faults.length < MAX_FAULTS)
      plan.faults.push(...faults.map((fault) => ({ line: item.line, ...fault })))
    await pause()
    if (faults.length > 0) continue
    const identity = identityOf(content)
    if (wanted.has(identity)) plan.skipped += 1
    wanted.set(identity, { item, content })
  }
  const kept = new Map(mode === 'merge' ? byIdentity : [])
  for (const [identity, { item, content }] of wanted) {
    const before = byIdentity.get(identity)
    const after = before === undefined ? newEntry(item, content, now) : changed(before, content, now)
    if (before === undefined) plan.imported += 1
    else if (after === before) plan.skipped += 1
    else plan.updated += 1
    if (after !== before)
      plan.changes.push({ change: before === undefined ? 'added' : 'updated', entry: after })
    kept.set(identity, after)
    await pause()
  }
  plan.removed = existing.length + plan.imported - kept.size
  plan.entries = [...kept.values()].sort((one, other) => (one.id < other.id ? -1 : 1))
  return plan
}

function contentOf({ line: _, source: __, usageCount, lastUsedAt, createdAt, ...given }: ImportItem) {
  const type = given.type ?? impliedType(given.replacement)
  return tidyEntry(withOmission({ ...NEW_ENTRY, aliases: [], ...given, type }))
}

function newEntry(item: ImportItem, content: EntryContent, now: Date): Entry {
  return {
    ...content,
    id: newId(now),
    source: item.source ?? 'import',
    usageCount: item.usageCount ?? 0,
    lastUsedAt: item.lastUsedAt ?? null,
    createdAt: item.createdAt ?? now,
    updatedAt: now,
  }
}

function changed(before: Entry, content: EntryContent, now: Date): Entry {
  const same = Object.entries(content).every(([key, value]) =>
    Bun.deepEquals(before[key as keyof EntryContent], value),
  )
  return same ? before : { ...before, ...content, updatedAt: now }
}
