// The dictionary as it must be when the server starts, whatever the file and the table say; and its rows in both.
// Reads and writes neither; dictionary.ts does.

import type { DictionaryRow } from '../../db/writing-schema.ts'
import { entryKey, tidyEntry, withOmission } from '../text/dictionary/check-entry.ts'
import type { Entry } from '../text/dictionary/entry.ts'

export const entryRow = (entry: Entry): DictionaryRow => ({ ...entry, folded: entryKey(entry) })

export const entryOf = ({ folded: _, ...entry }: DictionaryRow): Entry => entry

/** No two entries have this in common. */
export const identityOf = (entry: Parameters<typeof entryKey>[0]): string =>
  `${entry.language ?? ''} ${entryKey(entry)}`

/**
 * The entries of the file, or of the table where there is no file, in the order they were made: tidy, and no id or word
 * twice. Counts of use are the larger of the two.
 */
export function settleDictionary(mirrored: readonly Entry[] | null, stored: readonly Entry[]): Entry[] {
  const rows = new Map(stored.map((entry) => [entry.id, entry]))
  const [ids, identities] = [new Set<string>(), new Set<string>()]
  return (mirrored ?? stored)
    .map((entry) => ({ ...entry, ...tidyEntry(withOmission(entry)) }))
    .filter((entry) => {
      const identity = identityOf(entry)
      if (entry.word === '' || ids.has(entry.id) || identities.has(identity)) return false
      ids.add(entry.id)
      identities.add(identity)
      return true
    })
    .map((entry) => withUses(entry, rows.get(entry.id)))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

const withUses = (entry: Entry, row: Entry | undefined): Entry =>
  row === undefined || row.usageCount <= entry.usageCount
    ? entry
    : { ...entry, usageCount: row.usageCount, lastUsedAt: row.lastUsedAt }
