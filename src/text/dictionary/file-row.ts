// One entry as it stands in a file, by the names of the API, before anybody has checked it.
// Reading files is csv-file.ts, json-file.ts and plain-file.ts.

import { fail, type Result, succeed } from '../../lib/result.ts'
import { DICTIONARY_LIMITS, type Entry } from './entry.ts'

export type FileRow = {
  /** where it begins, from 1; its place in the list where a file has no lines of its own */
  line: number
  fields: Record<string, unknown>
}

/** What is longer than this is no entry, whatever it says, and is not taken apart. */
export const MAX_ROW_CHARACTERS = 100_000

/** Goes after the name of a file; or a first row that may be one of names, which only a person knows. */
export type ReadFailure = string | { unclearHeader: string[] }

export type ReadRows = Promise<Result<FileRow[], ReadFailure>>

/** `header`: whether the first row of a table has the names of its columns; found out where it is not given. */
export type ReadOptions = { header?: boolean | undefined }

/** Told before anything is read: reading takes many times the memory of the file. */
export const checkCount = (count: number): Result<void, string> =>
  count <= DICTIONARY_LIMITS.entries
    ? succeed(undefined)
    : fail(`has ${count} entries; a dictionary holds ${DICTIONARY_LIMITS.entries}`)

export const DICTIONARY_FORMATS = ['json', 'csv', 'txt'] as const
export type DictionaryFormat = (typeof DICTIONARY_FORMATS)[number]

/** In the order in which they are written; enough to have the same dictionary again. */
export const fieldsOf = (entry: Entry) => ({
  type: entry.type,
  word: entry.word,
  replacement: entry.replacement,
  aliases: entry.aliases,
  language: entry.language,
  case_sensitive: entry.caseSensitive,
  whole_word: entry.wholeWord,
  is_regex: entry.isRegex,
  enabled: entry.enabled,
  priority: entry.priority,
  source: entry.source,
  usage_count: entry.usageCount,
  last_used_at: entry.lastUsedAt?.toISOString() ?? null,
  created_at: entry.createdAt.toISOString(),
})

export type FileField = keyof ReturnType<typeof fieldsOf>

const FLAGS = new Set<string>(['case_sensitive', 'whole_word', 'is_regex', 'enabled'] satisfies FileField[])
const NUMBERS = new Set<string>(['priority', 'usage_count'] satisfies FileField[])

/** A value that a file can only give as text; what does not fit stays text, and is refused as such. */
export function parsedValue(field: string, text: string): unknown {
  if (NUMBERS.has(field)) return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
  if (!FLAGS.has(field)) return text
  if (/^\s*(true|yes|1)\s*$/i.test(text)) return true
  return /^\s*(false|no|0)\s*$/i.test(text) ? false : text
}
