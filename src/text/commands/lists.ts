// Bullet lists, numbered lists, checklists and tables in Markdown, and lists turned back into text.

import { isBlank, lineBreakOf, linesOf, mapEachLine, mapLines } from './lines.ts'
import { unitSpans } from './segments.ts'

/** The indent and the marker of an item: a bullet or a number, with or without a checkbox. */
const MARKER = /^(\s*)(?:[-*+•‣◦–]\s+|\d{1,4}[.)]\s+)?(?:\[[ xX]?\]\s+)?/u
const HAS_MARKER = /^\s*(?:[-*+•‣◦–]\s+|\d{1,4}[.)]\s+|\[[ xX]?\]\s+)/u

export const bulletList = (text: string): string => listWith(text, () => '- ')
export const checklist = (text: string): string => listWith(text, () => '- [ ] ')
export const numberedList = (text: string): string => listWith(text, (number) => `${number}. `)

/** Turns each line into an item; a single line is split into the items of its enumeration, or its sentences. */
function listWith(text: string, markerOf: (number: number) => string): string {
  return mapLines(text, (lines) => {
    let number = 0
    return itemsOf(lines).map((line) => {
      if (isBlank(line)) return line
      const [found, indent = ''] = MARKER.exec(line) ?? ['']
      number++
      return indent + markerOf(number) + line.slice(found.length).trim()
    })
  })
}

function itemsOf(lines: string[]): string[] {
  const filled = lines.filter((line) => !isBlank(line))
  const [only] = filled
  if (filled.length !== 1 || only === undefined || HAS_MARKER.test(only)) return lines
  const sentences = unitSpans(only, 'sentence', null)
  if (sentences.length > 1) return sentences.map(({ from, to }) => only.slice(from, to))
  return enumerated(only) ?? lines
}

const MAX_WORDS_IN_ITEM = 5

/** "milk, bread and coffee" is three items; null for a sentence that just has commas. */
export function enumerated(line: string): string[] | null {
  const separator = line.includes(';') ? ';' : /[,、，]/u
  const pieces = line
    .trim()
    .replace(/[.。]$/u, '')
    .split(separator)
    .map((piece) => piece.trim())
  if (pieces.length < 2) return null
  const last = pieces.pop() ?? ''
  const pair = /^(?:(?:and|or) )?(.+?) (?:and|or) (.+)$/iu.exec(last)
  const tail = pair ? [pair[1] ?? '', pair[2] ?? ''] : [last.replace(/^(?:and|or) /iu, '')]
  const items = [...pieces, ...tail].filter((item) => item !== '')
  const areShort = items.every((item) => item.split(/\s+/u).length <= MAX_WORDS_IN_ITEM)
  return items.length >= 3 && areShort ? items : null
}

export const removeListMarkers = (text: string): string =>
  mapEachLine(text, (line) => (HAS_MARKER.test(line) ? line.replace(MARKER, '$1') : line))

export const tickAll = (text: string): string =>
  mapEachLine(text, (line) => line.replace(/^(\s*(?:[-*+]|\d{1,4}[.)])\s+)\[ ?\]/u, '$1[x]'))

/** Joins items as "a, b and c". */
export function listToSentence(text: string): string {
  const items = linesOf(removeListMarkers(text))
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const last = items.pop()
  if (last === undefined || items.length === 0) return text
  const ending = text.slice(text.trimEnd().length)
  return `${items.join(', ')} and ${last}${ending}`
}

/** Null unless tabs, bars, semicolons or commas split all lines into the same number of cells. */
export function linesToTable(text: string): string | null {
  const lines = linesOf(text).filter((line) => !isBlank(line))
  for (const separator of ['\t', '|', ';', ',']) {
    const rows = lines.map((line) => cellsOf(line, separator))
    const [head] = rows
    if (head === undefined || head.length < 2 || rows.some((row) => row.length !== head.length)) continue
    const ruled = [head, head.map(() => '---'), ...rows.slice(1)]
    return mapLines(text, () => ruled.map((row) => `| ${row.map(escapeBar).join(' | ')} |`))
  }
  return null
}

const cellsOf = (line: string, separator: string): string[] =>
  line
    .trim()
    .replace(separator === '|' ? /^\||\|$/gu : /$^/u, '')
    .split(separator)
    .map((cell) => cell.trim())

const escapeBar = (cell: string): string => cell.replaceAll('|', '\\|')

/** Puts an empty line between all lines. */
export const doubleSpaced = (text: string): string =>
  mapLines(text, (lines) => [
    lines.filter((line) => !isBlank(line)).join(lineBreakOf(text) + lineBreakOf(text)),
  ])
