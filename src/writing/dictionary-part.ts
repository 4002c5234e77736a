// The dictionary as a part of the library, and the identity of an entry.

import { dictionaryTable } from '../../db/library.ts'
import type { DictionaryRow } from '../../db/writing-schema.ts'
import type { LibraryPart } from '../library/part.ts'
import { entryKey, tidyEntry, withOmission } from '../text/dictionary/check-entry.ts'
import { type Entry, EntrySchema } from '../text/dictionary/entry.ts'

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
