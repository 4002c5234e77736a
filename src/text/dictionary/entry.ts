// An entry of the dictionary: schema, defaults and limits.

import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/schema.ts'

export const ENTRY_TYPES = ['term', 'replacement', 'snippet', 'omit'] as const

export const ENTRY_SOURCES = ['manual', 'import', 'learned'] as const

export const ENTRY_LIMITS = {
  wordCharacters: 200,
  replacementCharacters: 10_000,
  aliases: 20,
  /** largest absolute value */
  priority: 1_000_000,
} as const

// A file edited by hand may have a NUL character, which Postgres cannot store.
const text = (options: object = {}) => Type.String({ pattern: '^[^\\u0000]*$', ...options })

const content = {
  /**
   * a term helps recognition, a replacement rewrites recognised text, a snippet expands a spoken trigger, and a word to
   * omit is removed from the text
   */
  type: oneOf(ENTRY_TYPES),
  /** NFC; the recognised, replaced or spoken word, or a regular expression */
  word: text({ minLength: 1 }),
  /** null for a term and for a word to omit; never empty for the others, which would remove a word by accident */
  replacement: nullable(text()),
  /** other forms of `word`; for a term, misheard forms that are replaced by the term */
  aliases: Type.Array(text()),
  caseSensitive: Type.Boolean(),
  wholeWord: Type.Boolean(),
  isRegex: Type.Boolean(),
  enabled: Type.Boolean(),
  /** Whisper's code; null: any language */
  language: nullable(text()),
  /** higher is preferred */
  priority: Type.Integer({ minimum: -ENTRY_LIMITS.priority, maximum: ENTRY_LIMITS.priority }),
}

/** The fields that a user may change. */
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

/** The type of an entry without one; an empty replacement counts as none. */
export const impliedType = (replacement: string | null | undefined): EntryContent['type'] =>
  replacement == null || isUnfilled(replacement) ? 'term' : 'replacement'

/** Only spaces count as empty, as in a form left blank; a line break is a valid replacement that users dictate. */
export const isUnfilled = (replacement: string): boolean => /^[ \u00a0]*$/.test(replacement)

/** Limited because all entries are in memory, and in a copy that is written after each change. */
export const DICTIONARY_LIMITS = { entries: 50_000, characters: 4_000_000 } as const

/** The number of times an entry changed a text. */
export type Applied = { id: string; count: number }
