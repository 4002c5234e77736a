// A dictionary as plain text for editing by hand, one entry a line.
//
//   Kubernetes | cooper netties
//   btw => by the way
//   my address => 1 Main Street\nSpringfield ;; type=snippet language=en
//
// A line that begins with # is a comment. A backslash escapes the next character; \n is a line break.

import { succeed } from '../../lib/result.ts'
import { createPause } from '../../lib/time-slice.ts'
import { type Entry, NEW_ENTRY } from './entry.ts'
import {
  checkCount,
  type FileField,
  type FileRow,
  fieldsOf,
  MAX_ROW_CHARACTERS,
  parsedValue,
  type ReadRows,
} from './file-row.ts'

/** The fields written after `;;`, unless they have the default of a new entry. */
const OPTIONS: FileField[] = [
  ...(['type', 'language', 'case_sensitive', 'whole_word', 'is_regex', 'enabled', 'priority'] as const),
  ...(['source', 'usage_count', 'last_used_at', 'created_at'] as const),
]

const DEFAULTS: Partial<Record<FileField, unknown>> = {
  language: null,
  case_sensitive: NEW_ENTRY.caseSensitive,
  whole_word: NEW_ENTRY.wholeWord,
  is_regex: NEW_ENTRY.isRegex,
  enabled: NEW_ENTRY.enabled,
  priority: NEW_ENTRY.priority,
  usage_count: 0,
  last_used_at: null,
}

export function* writePlain(entries: readonly Entry[]): Generator<string> {
  for (const entry of entries) yield `${lineOf(entry)}\n`
}

function lineOf(entry: Entry): string {
  const fields = fieldsOf(entry)
  const defaultType = entry.replacement === null ? 'term' : 'replacement'
  const options = OPTIONS.flatMap((field) => {
    const value = fields[field]
    return value === (field === 'type' ? defaultType : DEFAULTS[field]) ? [] : `${field}=${value}`
  })
  const forms = [entry.word, ...entry.aliases].map(escaped).join(' | ')
  const arrow = entry.replacement === null ? '' : ` => ${escaped(entry.replacement)}`
  return `${forms}${arrow}${options.length === 0 ? '' : ` ;; ${options.join(' ')}`}`
}

const LINE_BREAKS: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't' }

/** Escapes outer spaces and the separators of a line. */
const escaped = (text: string): string =>
  text.replace(/^[\s#]|[\\|;\n\r\t]|=(?=>)|\s$/g, (found) => `\\${LINE_BREAKS[found] ?? found}`)

export async function readPlain(text: string): ReadRows {
  const counted = checkCount(await eachEntry(text, () => {}))
  if (!counted.ok) return counted
  const rows: FileRow[] = []
  await eachEntry(text, (entry, line) => rows.push({ line, fields: fieldsOfLine(entry) }))
  return succeed(rows)
}

const LINE_END = /\r\n|\n|\r/g
const BLANK_OR_COMMENT = /^\s*(#|$)/

/** Calls `visit` for each line with an entry; returns their number. */
async function eachEntry(text: string, visit: (entry: string, line: number) => void): Promise<number> {
  const pause = createPause()
  let count = 0
  for (let [from, line] = [text.startsWith('\ufeff') ? 1 : 0, 1]; from <= text.length; line += 1) {
    LINE_END.lastIndex = from
    const end = LINE_END.exec(text)
    const to = end?.index ?? text.length
    const entry = text.slice(from, to)
    if (entry.length > MAX_ROW_CHARACTERS || !BLANK_OR_COMMENT.test(entry)) {
      visit(entry, line)
      count += 1
    }
    from = to + (end?.[0].length ?? 1)
    await pause()
  }
  return count
}

const fieldsOfLine = (line: string): FileRow['fields'] =>
  line.length > MAX_ROW_CHARACTERS ? { word: line } : fieldsIn(line)

function fieldsIn(line: string): Record<string, unknown> {
  const [content = '', options = ''] = splitUnescaped(line, ';;', 2)
  const [forms = '', replacement] = splitUnescaped(content, '=>', 2)
  const [word = '', ...aliases] = splitUnescaped(forms, '|').map(unescaped)
  return {
    word,
    ...(aliases.length > 0 && { aliases: aliases.filter((alias) => alias !== '') }),
    ...replacementIn(replacement),
    ...optionsIn(options),
  }
}

/** An arrow without a replacement is probably an unfinished line, so validation must reject it. */
function replacementIn(part: string | undefined): Record<string, unknown> {
  if (part === undefined) return {}
  const replacement = unescaped(part)
  return replacement === '' ? { type: 'replacement' } : { replacement }
}

function optionsIn(text: string): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const option of text.split(/\s+/).filter((one) => one !== '')) {
    const [name = '', value = ''] = option.split('=', 2)
    options[name] = parsedValue(name, value)
  }
  return options
}

/** Splits at separators without a backslash; the last of `most` parts keeps the rest. */
function splitUnescaped(text: string, separator: string, most = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (parts.length + 1 < most && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at))
      at += separator.length - 1
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

const BREAKS: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Trims unescaped spaces and resolves escapes. */
function unescaped(part: string): string {
  const pieces = part.match(/\\[\s\S]|[\s\S]/g) ?? []
  const isContent = (piece: string) => piece.trim() !== ''
  return pieces
    .slice(pieces.findIndex(isContent), pieces.findLastIndex(isContent) + 1)
    .map(meaningOf)
    .join('')
}

function meaningOf(piece: string): string {
  const [, character] = piece.length === 2 && piece.startsWith('\\') ? piece : ''
  if (character === undefined) return piece
  return BREAKS[character] ?? (/[\\|;=\s#]/.test(character) ? character : piece)
}
