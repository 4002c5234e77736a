// Entries with defaults for tests.

import { compiled, type Dictionary } from '../../../src/text/dictionary/compile.ts'
import { type Entry, NEW_ENTRY } from '../../../src/text/dictionary/entry.ts'

export type EntryLike = Partial<Entry> & { word: string }

const MADE_AT = new Date('2026-01-01T00:00:00.000Z')

export const entry = (fields: EntryLike): Entry => ({
  ...NEW_ENTRY,
  type: 'replacement',
  id: fields.word,
  source: 'manual',
  usageCount: 0,
  lastUsedAt: null,
  createdAt: MADE_AT,
  updatedAt: MADE_AT,
  ...fields,
})

export const dictionaryOf = (...entries: EntryLike[]): Promise<Dictionary> => compiled(entries.map(entry))
