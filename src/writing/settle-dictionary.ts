// The dictionary as it must be when the server starts, whatever the file and the table say; and its rows in both.
// Reads and writes neither; dictionary.ts does.

import { Type } from '@sinclair/typebox'
import type { DictionaryRow } from '../../db/writing-schema.ts'
import { entryKey, tidyEntry } from '../text/dictionary/check-entry.ts'
import {
  ENTRY_LIMITS,
  ENTRY_SOURCES,
  ENTRY_TYPES,
  type Entry,
  type EntrySource,
  type EntryType,
} from '../text/dictionary/entry.ts'
import { mirroredMoment } from './mirror.ts'

const words = <const Words extends readonly string[]>(list: Words) =>
  Type.Unsafe<Words[number]>(Type.Union(list.map((word) => Type.Literal(word))))
const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()])
// A file edited by hand may have any character that JSON can write; the database has not.
const text = (options: object = {}) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

/** As it stands in the file of the data folder. */
export const MirroredEntrySchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  type: words(ENTRY_TYPES),
  word: text({ minLength: 1 }),
  replacement: maybe(text()),
  aliases: Type.Array(text()),
  caseSensitive: Type.Boolean(),
  wholeWord: Type.Boolean(),
  isRegex: Type.Boolean(),
  enabled: Type.Boolean(),
  language: maybe(text()),
  priority: Type.Integer({ minimum: -ENTRY_LIMITS.priority, maximum: ENTRY_LIMITS.priority }),
  source: words(ENTRY_SOURCES),
  usageCount: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  lastUsedAt: maybe(mirroredMoment()),
  createdAt: mirroredMoment(),
  updatedAt: mirroredMoment(),
})

export const rowOf = (entry: Entry): DictionaryRow => ({ ...entry, folded: entryKey(entry) })

export function entryOf({ folded: _, ...row }: DictionaryRow): Entry {
  return { ...row, type: row.type as EntryType, source: row.source as EntrySource }
}

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
    .map((entry) => ({ ...entry, ...tidyEntry(entry) }))
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
