// A dictionary as a JSON file: `{"entries": […]}`.
// What its entries say is not checked here.

import { fail, type Result, succeed } from '../../lib/result.ts'
import type { Entry } from './entry.ts'
import { type FileRow, fieldsOf } from './file-row.ts'

export const writeJson = (entries: readonly Entry[]): string =>
  `{"entries": [\n${entries.map((entry) => JSON.stringify(fieldsOf(entry))).join(',\n')}\n]}\n`

/** A bare list of entries will do, and so will an answer of the API; a text in the list is a term. */
export function readJson(text: string): Result<FileRow[], string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail('is not valid JSON')
  }
  const list = Array.isArray(value) ? value : (propertyOf(value, 'entries') ?? propertyOf(value, 'items'))
  if (!Array.isArray(list))
    return fail('must be a list of entries, or an object with such a list as `entries`')
  return succeed(
    list.map((one: unknown, index) => ({
      line: index + 1,
      fields: typeof one === 'string' ? { word: one } : isRecord(one) ? one : { word: one },
    })),
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const propertyOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
