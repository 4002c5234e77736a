// A dictionary as JSON: `{"entries": […]}`.

import { fail, succeed } from '../../lib/result.ts'
import { inSlices } from '../../lib/slices.ts'
import { readColumns } from './column-names.ts'
import { DICTIONARY_LIMITS, type Entry } from './entry.ts'
import { checkCount, type FileRow, fieldsOf, MAX_ROW_CHARACTERS, type ReadRows } from './file-row.ts'
import { findList } from './json-list.ts'

export function* writeJson(entries: readonly Entry[]): Generator<string> {
  let before = '{"entries": [\n'
  for (const entry of entries) {
    yield before + JSON.stringify(fieldsOf(entry))
    before = ',\n'
  }
  yield entries.length === 0 ? `${before}\n]}\n` : '\n]}\n'
}

const NOT_JSON = fail('is not valid JSON')
const NO_LIST = fail('must be a list of entries, or an object with such a list as `entries`')

/** Also accepts a bare list of entries, and a response of the API; a string in the list is a term. */
export async function readDictionaryJson(text: string): ReadRows {
  const list = await inSlices(
    findList(text, { names: ['entries', 'items'], most: DICTIONARY_LIMITS.entries }),
  )
  if (list === 'malformed') return NOT_JSON
  if (!isJson(list.around)) return list.around.length > MAX_ROW_CHARACTERS ? NO_LIST : NOT_JSON
  if (list.items === null) return NO_LIST
  const { items } = list
  const counted = checkCount(list.count)
  if (!counted.ok) return counted
  return inSlices(
    (function* () {
      const rows: FileRow[] = []
      for (const [index, { from, to }] of items.entries()) {
        const fields = fieldsIn(text.slice(from, to))
        if (fields === null) return NOT_JSON
        rows.push({ line: index + 1, fields })
        yield
      }
      return succeed(rows)
    })(),
  )
}

const isJson = (text: string): boolean => text.length <= MAX_ROW_CHARACTERS && parsed(text) !== undefined

function fieldsIn(item: string): FileRow['fields'] | null {
  if (item.length > MAX_ROW_CHARACTERS) return { word: item }
  const value = parsed(item)
  if (value === undefined) return null
  return isRecord(value) ? ownNames(value) : { word: value }
}

/** Maps the field names of another program to ours. */
function ownNames(record: Record<string, unknown>): FileRow['fields'] {
  if (Object.hasOwn(record, 'word')) return record
  const { fields } = readColumns(Object.keys(record), [])
  if (!fields.includes('word')) return record
  return Object.fromEntries(Object.entries(record).map(([key, value], at) => [fields[at] ?? key, value]))
}

/** Undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
