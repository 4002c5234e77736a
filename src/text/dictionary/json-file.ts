// A dictionary as JSON: `{"entries": […]}`.

import { fail, succeed } from '../../lib/result.ts'
import { createPause } from '../../lib/time-slice.ts'
import type { TextRange } from '../text-tokens.ts'
import { DICTIONARY_LIMITS, type Entry } from './entry.ts'
import {
  checkCount,
  type FileRow,
  fieldsOf,
  MAX_ROW_CHARACTERS,
  type ReadRows,
  readColumns,
} from './file-row.ts'

export type FoundList = {
  /** the first items, up to the requested number; null if there is no such list */
  items: TextRange[] | null
  /** number of all items */
  count: number
  /** the text with its list emptied */
  around: string
}

/** Characters processed between two pauses. */
const CHARACTERS_PER_PAUSE = 8192

/** Finds the list that is the whole text or a member with one of `names`; `malformed` if a bracket is unclosed. */
async function findList(
  text: string,
  { names, most }: { names: readonly string[]; most: number },
): Promise<FoundList | 'malformed'> {
  const begin = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0)
  let found: Items | null = null
  if (text[begin] === '[') found = await itemsIn(text, begin, most)
  else if (text[begin] === '{') {
    const members = await itemsIn(text, begin, most)
    if (members === null) return 'malformed'
    const at = names.map((name) => listOf(name, text, members.spans)).find((offset) => offset !== undefined)
    if (at === undefined) return { items: null, count: 0, around: text.slice(begin) }
    found = await itemsIn(text, at, most)
  } else return { items: null, count: 0, around: text.slice(begin) }
  if (found === null) return 'malformed'
  const { from, to, spans, count } = found
  return { items: spans, count, around: `${text.slice(begin, from + 1)}${text.slice(to - 1)}` }
}

const NAME = /\s*"((?:[^"\\]|\\.){0,100})"\s*:\s*/y

/** The offset of the list with that name, among the members of an object. */
function listOf(name: string, text: string, members: readonly TextRange[]): number | undefined {
  for (const { from } of members) {
    NAME.lastIndex = from
    if (NAME.exec(text)?.[1] === name && text[NAME.lastIndex] === '[') return NAME.lastIndex
  }
  return undefined
}

/** A list or an object, and the ranges between its commas. */
type Items = TextRange & { spans: TextRange[]; count: number }

/** Null if the bracket at `from` is never closed. */
async function itemsIn(text: string, from: number, most: number): Promise<Items | null> {
  const pause = createPause()
  const spans: TextRange[] = []
  let count = 0
  let [depth, itemFrom, pauseAt] = [0, from + 1, from + CHARACTERS_PER_PAUSE]
  const endItem = (to: number, isLast: boolean) => {
    if (isLast && count === 0 && text.slice(itemFrom, to).trim() === '') return
    count += 1
    if (count <= most) spans.push({ from: itemFrom, to })
    itemFrom = to + 1
  }
  for (let at = from; at < text.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + CHARACTERS_PER_PAUSE
      await pause()
    }
    switch (text[at]) {
      case '"':
        at = endOfText(text, at)
        break
      case '[':
      case '{':
        depth += 1
        break
      case ',':
        if (depth === 1) endItem(at, false)
        break
      case ']':
      case '}':
        depth -= 1
        if (depth > 0) break
        endItem(at, true)
        return { from, to: at + 1, spans, count }
    }
  }
  return null
}

/** The offset of the quotation mark that closes the one at `from`; the end of the text if unclosed. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \n\r\t'.includes(text[at]!)) at += 1
  return at
}

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
  const list = await findList(text, { names: ['entries', 'items'], most: DICTIONARY_LIMITS.entries })
  if (list === 'malformed') return NOT_JSON
  if (!isJson(list.around)) return list.around.length > MAX_ROW_CHARACTERS ? NO_LIST : NOT_JSON
  if (list.items === null) return NO_LIST
  const { items } = list
  const counted = checkCount(list.count)
  if (!counted.ok) return counted
  const pause = createPause()
  const rows: FileRow[] = []
  for (const [index, { from, to }] of items.entries()) {
    const fields = fieldsIn(text.slice(from, to))
    if (fields === null) return NOT_JSON
    rows.push({ line: index + 1, fields })
    await pause()
  }
  return succeed(rows)
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
