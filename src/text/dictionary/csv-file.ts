// A dictionary as CSV (RFC 4180); also reads semicolons or tabs as delimiters.
// Spreadsheets run a cell that begins with = + - @ as a formula. The export puts an apostrophe before such a text, and
// before a text that begins with an apostrophe itself; the import removes it.

import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createPause, nextTurn } from '../../lib/time-slice.ts'
import type { Entry } from './entry.ts'
import {
  checkCount,
  type FileField,
  fieldsOf,
  looksLikeNames,
  MAX_ROW_CHARACTERS,
  parsedValue,
  type ReadOptions,
  type ReadRows,
  readColumns,
} from './file-row.ts'

const COLUMNS: FileField[] = [
  ...(['type', 'word', 'replacement', 'aliases', 'language'] as const),
  ...(['case_sensitive', 'whole_word', 'is_regex', 'enabled', 'priority'] as const),
  ...(['source', 'usage_count', 'last_used_at', 'created_at'] as const),
]

/** The columns of a table without column names. */
const UNNAMED: FileField[] = ['word', 'replacement']

const RISKY = /^['=+\-@\t\r\n＝＋－＠]/
const GUARDED = /^'(?=['=+\-@\t\r\n＝＋－＠])/

export function* writeCsv(entries: readonly Entry[]): Generator<string> {
  yield lineOf(COLUMNS)
  for (const entry of entries) {
    const fields = fieldsOf(entry)
    yield lineOf(COLUMNS.map((column) => cellOf(fields[column])))
  }
}

const lineOf = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null) return ''
  const text = Array.isArray(value) ? joinAliases(value) : String(value)
  return typeof value !== 'number' && RISKY.test(text) ? `'${text}` : text
}

const quote = (cell: string): string =>
  /[",;\r\n\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

type Parsed = { record: string[]; info: { lines: number } }

/** A table without column names has words and their replacements. */
export async function readCsv(text: string, { header }: ReadOptions = {}): ReadRows {
  const counted = await countRows(text)
  const allowed = counted.ok ? checkCount(counted.value) : counted
  if (!allowed.ok) return allowed
  const parsed = await parseRows(text)
  if (!parsed.ok) return parsed
  const rows = parsed.value
  const columns = columnsOf(rows, header)
  if (!columns.ok) return columns
  const { isNamed, fields: names } = columns.value
  let passed = 0
  const read = rows.map(({ record, info }) => {
    const line = passed + 1
    passed = info.lines
    return { line, fields: fieldsIn(names, record) }
  })
  return succeed(isNamed ? read.slice(1) : read)
}

type Columns = { isNamed: boolean; fields: readonly (string | null)[] }

/** `header`: whether the first row has column names, if the user said so. */
function columnsOf(rows: readonly Parsed[], header: boolean | undefined) {
  const first = rows[0]?.record.map((name) => name.replace(GUARDED, '')) ?? []
  const { fields, areNames } = readColumns(first, COLUMNS)
  const unnamed = { isNamed: false, fields: UNNAMED }
  if (header === false || first.length === 0) return succeed<Columns>(unnamed)
  if (areNames === 'sure') return succeed<Columns>({ isNamed: true, fields })
  if (header) return succeed<Columns>({ isNamed: true, fields: completed(fields) })
  const isUnclear = areNames === 'unsure' || looksLikeNames(rows.map(({ record }) => record))
  return isUnclear ? fail({ unclearHeader: first }) : succeed<Columns>(unnamed)
}

/** Assigns the remaining columns by position: the word comes first. */
function completed(fields: readonly (string | null)[]): (string | null)[] {
  const all = [...fields]
  const give = (field: FileField) => {
    const free = all.indexOf(null)
    if (!all.includes(field) && free >= 0) all[free] = field
  }
  give('word')
  give('replacement')
  return all
}

/** Counts line ends outside quotation marks; fails if a row is longer than an entry can be. */
async function countRows(text: string): Promise<Result<number, string>> {
  const pause = createPause()
  let [count, from, isQuoted] = [0, 0, false]
  for (const { 0: found, index } of text.matchAll(/["\n]|$/g)) {
    if (index - from > MAX_ROW_CHARACTERS)
      return fail(`has more than ${MAX_ROW_CHARACTERS} characters in row ${count + 1}`)
    if (found === '"') isQuoted = !isQuoted
    else if (!isQuoted) {
      if (text.slice(from, index).trim() !== '') count += 1
      from = index + 1
    }
    await pause()
  }
  // The row of column names does not count.
  return succeed(Math.max(0, count - 1))
}

/** A few hundred rows. */
const CHUNK_CHARACTERS = 32 * 1024

async function parseRows(text: string): Promise<Result<Parsed[], string>> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter: delimiterOf(text),
  })
  const rows: Parsed[] = []
  try {
    for await (const row of Readable.from(chunksOf(text), { objectMode: false }).pipe(parser)) rows.push(row)
    return succeed(rows)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return fail(`is not readable as CSV: ${error.message}`)
  }
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
    yield text.slice(from, from + CHUNK_CHARACTERS)
    await nextTurn()
  }
}

/** The most frequent delimiter in the first line. */
function delimiterOf(table: string): string {
  const text = table.slice(0, MAX_ROW_CHARACTERS)
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n/, 1)
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best))
}

/** For these types an empty cell is an empty replacement, which validation rejects or turns into an omission. */
const MUST_REWRITE = new Set<unknown>(['replacement', 'snippet'])

function fieldsIn(columns: readonly (string | null)[], cells: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]
    const text = cell.replace(GUARDED, '')
    // An empty cell leaves the default, except in the column of the replacement.
    if (column === undefined || column === null || (text === '' && column !== 'replacement')) continue
    fields[column] = column === 'aliases' ? splitAliases(text) : parsedValue(column, text)
  }
  if (fields.replacement === '' && !MUST_REWRITE.has(fields.type)) delete fields.replacement
  return fields
}

const joinAliases = (aliases: string[]): string =>
  aliases.map((alias) => alias.replace(/[\\|]/g, '\\$&')).join(' | ')

const splitAliases = (text: string): string[] =>
  (text.match(/(?:\\[\\|]|[^|])+/g) ?? [])
    .map((alias) => alias.trim().replace(/\\([\\|])/g, '$1'))
    .filter((alias) => alias !== '')
