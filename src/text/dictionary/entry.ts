// What an entry of the dictionary is.
// Holds no behaviour; what makes one valid is check-entry.ts.

export const ENTRY_TYPES = ['term', 'replacement', 'snippet'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

export const ENTRY_SOURCES = ['manual', 'import', 'learned'] as const
export type EntrySource = (typeof ENTRY_SOURCES)[number]

/** What a person says about an entry. */
export type EntryContent = {
  /** a term is to be recognised, a replacement rewrites what was recognised, a snippet expands a spoken trigger */
  type: EntryType
  /** NFC; what is recognised, replaced or spoken, or the pattern of a regular expression */
  word: string
  /** null for terms alone */
  replacement: string | null
  /** other forms of `word`; those of a term are misheard forms, which are written as the term */
  aliases: string[]
  caseSensitive: boolean
  wholeWord: boolean
  isRegex: boolean
  enabled: boolean
  /** as Whisper names it; null: any */
  language: string | null
  /** higher is better */
  priority: number
}

export type Entry = EntryContent & {
  id: string
  source: EntrySource
  usageCount: number
  lastUsedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

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

export const ENTRY_LIMITS = {
  wordCharacters: 200,
  replacementCharacters: 10_000,
  aliases: 20,
  /** either way of 0 */
  priority: 1_000_000,
} as const

/** All of them are in memory, and in a file that is written anew at each change. */
export const DICTIONARY_LIMITS = { entries: 50_000, characters: 4_000_000 } as const

/** How often an entry changed a text. */
export type Applied = { id: string; count: number }
