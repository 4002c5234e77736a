// A row of a dictionary file before validation; its fields are named as in the API.

import { fail, type Result, succeed } from '../../lib/result.ts'
import { DICTIONARY_LIMITS, type Entry } from './entry.ts'

export type FileRow = {
  /** first line of the row, from 1; its index in the list if the format has no lines */
  line: number
  fields: Record<string, unknown>
}

/** A longer row cannot be an entry and is not parsed. */
export const MAX_ROW_CHARACTERS = 100_000

/** A message that follows the name of the file; or a first row that may be column names, which the user must decide. */
export type ReadFailure = string | { unclearHeader: string[] }

export type ReadRows = Promise<Result<FileRow[], ReadFailure>>

/** `header`: whether the first row of a table has column names; detected if absent. */
export type ReadOptions = { header?: boolean | undefined }

/** Checked before parsing, which takes many times the memory of the file. */
export const checkCount = (count: number): Result<void, string> =>
  count <= DICTIONARY_LIMITS.entries
    ? succeed(undefined)
    : fail(`has ${count} entries; the limit is ${DICTIONARY_LIMITS.entries}`)

export const DICTIONARY_FORMATS = ['json', 'csv', 'txt'] as const
export type DictionaryFormat = (typeof DICTIONARY_FORMATS)[number]

/** In the order of the export; complete enough to restore the dictionary. */
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

/** Parses a value that the file holds as text; an invalid value stays text, which validation rejects. */
export function parsedValue(field: string, text: string): unknown {
  if (NUMBERS.has(field)) return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text
  if (!FLAGS.has(field)) return text
  if (/^\s*(true|yes|1)\s*$/i.test(text)) return true
  return /^\s*(false|no|0)\s*$/i.test(text) ? false : text
}
