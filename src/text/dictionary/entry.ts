// What an entry of the dictionary is.
// Holds no behaviour; what makes one valid is check-entry.ts.

import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/schema.ts'

export const ENTRY_TYPES = ['term', 'replacement', 'snippet', 'omit'] as const

export const ENTRY_SOURCES = ['manual', 'import', 'learned'] as const

export const ENTRY_LIMITS = {
  wordCharacters: 200,
  replacementCharacters: 10_000,
  aliases: 20,
  /** either way of 0 */
  priority: 1_000_000,
} as const

// A file edited by hand may have any character that JSON can write; the database has not.
const text = (options: object = {}) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

const content = {
  /**
   * a term is to be recognised, a replacement rewrites what was recognised, a snippet expands a spoken trigger, and a
   * word to omit is left out of the text
   */
  type: oneOf(ENTRY_TYPES),
  /** NFC; what is recognised, replaced or spoken, or the pattern of a regular expression */
  word: text({ minLength: 1 }),
  /** null for a term and for a word to omit; never empty for the others, which would leave a word out by accident */
  replacement: nullable(text()),
  /** other forms of `word`; those of a term are misheard forms, which are written as the term */
  aliases: Type.Array(text()),
  caseSensitive: Type.Boolean(),
  wholeWord: Type.Boolean(),
  isRegex: Type.Boolean(),
  enabled: Type.Boolean(),
  /** as Whisper names it; null: any */
  language: nullable(text()),
  /** higher is better */
  priority: Type.Integer({ minimum: -ENTRY_LIMITS.priority, maximum: ENTRY_LIMITS.priority }),
}

/** What a person says about an entry. */
export const EntryContentSchema = Type.Object(content)
export type EntryContent = Static<typeof EntryContentSchema>

export const EntrySchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  ...content,
  source: oneOf(ENTRY_SOURCES),
  usageCount: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
  lastUsedAt: nullable(Type.Date()),
  createdAt: Type.Date(),
  updatedAt: Type.Date(),
})
export type Entry = Static<typeof EntrySchema>

export const NEW_ENTRY = {
  replacement: null,
  aliases: [],
  caseSensitive: false,
  wholeWord: true,
  isRegex: false,
  enabled: true,
  language: null,
  priority: 0,
} as const satisfies Omit<EntryContent, 'type' | 'word'>

/** Of an entry that does not say: an empty replacement stands for none. */
export const impliedType = (replacement: string | null | undefined): EntryContent['type'] =>
  replacement == null || isUnfilled(replacement) ? 'term' : 'replacement'

/** A line break is a replacement that people dictate; spaces are what a form holds that was not filled in. */
export const isUnfilled = (replacement: string): boolean => /^[ \u00a0]*$/.test(replacement)

/** All of them are in memory, and in a copy that is written after each change. */
export const DICTIONARY_LIMITS = { entries: 50_000, characters: 4_000_000 } as const

/** How often an entry changed a text. */
export type Applied = { id: string; count: number }
