// Commands that sort, join, split and list the lines of a text.

import { localeOf, unitsIn } from '../text-units.ts'
import { isBlank, linesOf, mapEachLine, mapLines } from './lines.ts'
import { becoming, textRule } from './rule.ts'

/** Ignores case, and sorts 2 before 10. */
const collatorOf = (language: string | null) =>
  new Intl.Collator(localeOf(language) ?? 'en', { numeric: true })

const sortLines = (text: string, language: string | null): string =>
  mapSorted(text, (lines) => lines.toSorted(collatorOf(language).compare))

const sortLinesDescending = (text: string, language: string | null): string =>
  mapSorted(text, (lines) => lines.toSorted(collatorOf(language).compare).toReversed())

/** Drops blank lines. In a numbered list, the numbers stay in place and only their items move. */
function mapSorted(text: string, sort: (lines: string[]) => string[]): string {
  return mapLines(text, (lines) => {
    const filled = lines.filter((line) => !isBlank(line))
    const numbers = filled.map((line) => /^\s*\d{1,4}[.)]\s+/u.exec(line)?.[0])
    if (!numbers.every((number) => number !== undefined)) return sort(filled)
    const sorted = sort(filled.map((line, index) => line.slice(numbers[index]?.length)))
    return sorted.map((line, index) => numbers[index] + line)
  })
}

/** Keeps the first of equal lines, and all blank lines; ignores outer white space. */
const uniqueLines = (text: string): string =>
  mapLines(text, (lines) => {
    const seen = new Set<string>()
    return lines.filter((line) => isBlank(line) || (!seen.has(line.trim()) && seen.add(line.trim())))
  })

const removeEmptyLines = (text: string): string =>
  mapLines(text, (lines) => lines.filter((line) => !isBlank(line)))

/** No space goes between Chinese or Japanese characters. */
const WITHOUT_SPACE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\u3000-\u303f\uff00-\uffef]/u

const joinLines = (text: string): string =>
  mapLines(text, (lines) => {
    let out = ''
    for (const piece of lines.map((line) => line.trim()).filter((line) => line !== '')) {
      const isClose = WITHOUT_SPACE.test(out.slice(-1)) && WITHOUT_SPACE.test(piece.slice(0, 1))
      out += (out === '' || isClose ? '' : ' ') + piece
    }
    return [out]
  })

const sentencePerLine = (text: string, language: string | null): string =>
  mapLines(text, (lines) =>
    lines.flatMap((line) => (isBlank(line) ? [line] : unitsIn(line, 'sentence', language))),
  )

/** The indent and the marker of an item: a bullet or a number, with or without a checkbox. */
const MARKER = /^(\s*)(?:(?:[-*+•‣◦–]\s+|\d{1,4}[.)]\s+)(?:\[[ xX]?\]\s+)?|\[[ xX]?\]\s+)/u

const bulletList = (text: string): string => listWith(text, () => '- ')
const checklist = (text: string): string => listWith(text, () => '- [ ] ')
const numberedList = (text: string): string => listWith(text, (number) => `${number}. `)

/** Turns each line into an item; a single line is split into the items of its enumeration, or its sentences. */
function listWith(text: string, markerOf: (number: number) => string): string {
  return mapLines(text, (lines) => {
    let number = 0
    return itemsOf(lines).map((line) => {
      if (isBlank(line)) return line
      const bare = withoutMarker(line)
      return bare.slice(0, bare.search(/\S|$/u)) + markerOf(++number) + bare.trim()
    })
  })
}

const withoutMarker = (line: string): string => line.replace(MARKER, '$1')

function itemsOf(lines: string[]): string[] {
  const [only, ...more] = lines.filter((line) => !isBlank(line))
  if (only === undefined || more.length > 0 || MARKER.test(only)) return lines
  const sentences = unitsIn(only, 'sentence', null)
  return sentences.length > 1 ? sentences : (enumerated(only) ?? lines)
}

const MAX_WORDS_IN_ITEM = 5

/** "milk, bread and coffee" is three items; null for a sentence that just has commas. */
function enumerated(line: string): string[] | null {
  const pieces = line
    .trim()
    .replace(/[.。]$/u, '')
    .split(line.includes(';') ? ';' : /[,、，]/u)
    .map((piece) => piece.trim())
  if (pieces.length < 2) return null
  const last = pieces.pop() ?? ''
  const pair = /^(?:(?:and|or) )?(.+?) (?:and|or) (.+)$/iu.exec(last)
  const tail = pair ? [pair[1] ?? '', pair[2] ?? ''] : [last.replace(/^(?:and|or) /iu, '')]
  const items = [...pieces, ...tail].filter((item) => item !== '')
  const areShort = items.every((item) => item.split(/\s+/u).length <= MAX_WORDS_IN_ITEM)
  return items.length >= 3 && areShort ? items : null
}

const removeListMarkers = (text: string): string => mapEachLine(text, withoutMarker)

/** Puts the items of an enumeration on one line each, or else the sentences. */
function splitLines(text: string, language: string | null): string {
  const [only = '', ...more] = linesOf(text)
  const items = more.length > 0 ? null : enumerated(only)
  return items === null ? sentencePerLine(text, language) : mapLines(text, () => items)
}

const DESCENDING =
  '(descending|[in] (descending|reverse [alphabetical]) order|in reverse|backwards|[from] z to a)'
const ASCENDING = '(alphabetically|ascending|in (alphabetical|ascending|abc) order|[from] a to z|by name)'

export const LINE_RULES = [
  textRule('bullet list', 'Turns lines, sentences or enumerated items into a list.', bulletList, [
    'make that a bullet list',
    ...becoming('((bullet|bullet~point|bulleted|unordered|dashed) list|bullets|bullet~points|list)'),
    '(bullet <lines>|list (this|these|it|them)|add (bullets|bullet~points) [to <lines>])',
  ]),
  textRule('numbered list', 'Numbers the lines, sentences or enumerated items.', numberedList, [
    'turn it into a numbered list',
    ...becoming('((numbered|ordered|enumerated|number) list|numbered (points|items|steps))'),
    '(number <lines>|enumerate <lines>|add numbers [to <lines>])',
  ]),
  textRule('checklist', 'Turns lines, sentences or enumerated items into a checklist.', checklist, [
    'make this a checklist',
    ...becoming('(check~list|to~do list|task list|todo|todos|to-dos|check~boxes|tasks)'),
    'add check~boxes [to <lines>]',
  ]),
  textRule('remove list markers', 'Removes bullets, numbers and checkboxes.', removeListMarkers, [
    'remove list markers',
    '<remove> <all> (list (markers|numbers|numbering)|bullets|bullet~points|numbering|check~boxes) <from>',
    '<remove> <all> numbers from the list',
  ]),
  textRule('sort lines descending', 'Sorts the lines from Z to A.', sortLinesDescending, [
    'sort these lines descending',
    `(sort|order|arrange) [<lines>] ${DESCENDING}`,
    'reverse sort [<lines>]',
  ]),
  textRule('sort lines', 'Sorts the lines from A to Z; 2 comes before 10.', sortLines, [
    'sort these lines alphabetically',
    `(sort|order|arrange) <lines> [${ASCENDING}]`,
    `sort ${ASCENDING}`,
    '(sort|alphabetize|alphabetise) [<lines>]',
    'put <lines> in (alphabetical|abc|ascending) order',
  ]),
  textRule('unique lines', 'Removes repeated lines and keeps the first of them.', uniqueLines, [
    'remove duplicate lines',
    '<remove> <all> (duplicate|duplicated|repeated|double) (lines|items|entries|rows|names) <from>',
    '<remove> <all> (duplicates|repetitions|doubles|dupes) <from>',
    '((de~duplicate|dedupe|unique) [<lines>]|(keep|leave) only [the] unique (lines|items|entries))',
  ]),
  textRule('remove empty lines', 'Removes the lines without text.', removeEmptyLines, [
    'remove empty lines',
    '<remove> <all> (empty|blank) (lines|line|rows) <from>',
  ]),
  textRule('join lines', 'Joins the lines with spaces.', joinLines, [
    'join the lines',
    '(join|merge|combine) <lines> [together|up]',
    '<remove> <all> (line~breaks|new~lines|[carriage] returns) [from <this>]',
    '<make> [<this>] <into> (one|single) (line|paragraph)',
    '([put|get] <this> on (one|a single) line|one line|single line)',
  ]),
  textRule('sentence per line', 'Puts each sentence on its own line.', sentencePerLine, [
    'one sentence per line',
    '[<make>] [each|every|one|1] sentence [on] [per|each|its own|a new|a separate|one] line',
    '(split|break) [<this>] [up] (into|by|at|in) [the|its|separate|individual] sentences',
  ]),
  textRule('split lines', 'Puts each enumerated item, or else each sentence, on its own line.', splitLines, [
    'split this into lines',
    '(split|break) [<lines>] [up] (into [separate|several|multiple|individual|different] lines|up)',
    '(split|break) <lines> [up]',
    '<make> [<this>] <into> (separate|multiple|several|individual) lines',
    'put (each|every) item on (its own|a new|a separate) line',
  ]),
]
