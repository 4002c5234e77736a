// Entries with defaults for tests, and synchronous variants of the functions that apply a dictionary.

import { atOnce } from '../../../src/lib/slices.ts'
import { applied } from '../../../src/text/dictionary/apply.ts'
import { compiled, type Dictionary } from '../../../src/text/dictionary/compile.ts'
import { type Entry, NEW_ENTRY } from '../../../src/text/dictionary/entry.ts'
import { editsIn } from '../../../src/text/dictionary/find-edits.ts'
import { dictionaryPrompt } from '../../../src/text/dictionary/prompt.ts'

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

export const dictionaryOf = (...entries: EntryLike[]): Dictionary => compileDictionary(entries.map(entry))

export const compileDictionary = (entries: readonly Entry[]) => atOnce(compiled(entries))
export const applyDictionary = (...given: Parameters<typeof applied>) => atOnce(applied(...given))
export const findEdits = (...given: Parameters<typeof editsIn>) => atOnce(editsIn(...given))
export const buildPrompt = (...given: Parameters<typeof dictionaryPrompt>) =>
  atOnce(dictionaryPrompt(...given))
