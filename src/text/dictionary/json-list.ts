// Where the items of a list stand in a JSON text, found by its brackets alone: a list of millions would otherwise be
// parsed in one go, before anybody could count it. Parses no value; whether an item is valid is its reader's to find.

import type { Sliced } from '../../lib/time-slice.ts'
import type { TextRange } from '../text-range.ts'

export type FoundList = {
  /** the first of them, at most as many as were wanted; null where there is no such list */
  items: TextRange[] | null
  /** all of them */
  count: number
  /** the text with nothing in its list */
  around: string
}

/** So many characters between two places where the work may pause. */
const STEP = 8192

/** The list that the text is, or that it has under the first of these names; `malformed` where brackets do not close. */
export function* findList(
  text: string,
  { names, most }: { names: readonly string[]; most: number },
): Sliced<FoundList | 'malformed'> {
  const begin = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0)
  let places: Places | null = null
  if (text[begin] === '[') places = yield* placesIn(text, begin, most)
  else if (text[begin] === '{') {
    const members = yield* placesIn(text, begin, most)
    if (members === null) return 'malformed'
    const at = names.map((name) => listOf(name, text, members.spans)).find((place) => place !== undefined)
    if (at === undefined) return { items: null, count: 0, around: text.slice(begin) }
    places = yield* placesIn(text, at, most)
  } else return { items: null, count: 0, around: text.slice(begin) }
  if (places === null) return 'malformed'
  const { from, to, spans, count } = places
  return { items: spans, count, around: `${text.slice(begin, from + 1)}${text.slice(to - 1)}` }
}

const NAME = /\s*"((?:[^"\\]|\\.){0,100})"\s*:\s*/y

/** Where the list of that name begins, in one of the members of an object. */
function listOf(name: string, text: string, members: readonly TextRange[]): number | undefined {
  for (const { from } of members) {
    NAME.lastIndex = from
    if (NAME.exec(text)?.[1] === name && text[NAME.lastIndex] === '[') return NAME.lastIndex
  }
  return undefined
}

/** A list or an object, and what stands between its commas. */
type Places = TextRange & { spans: TextRange[]; count: number }

/** Null where the bracket at `from` is never closed. */
function* placesIn(text: string, from: number, most: number): Sliced<Places | null> {
  const spans: TextRange[] = []
  let count = 0
  let [depth, itemFrom, pauseAt] = [0, from + 1, from + STEP]
  const endItem = (to: number, isLast: boolean) => {
    if (isLast && count === 0 && text.slice(itemFrom, to).trim() === '') return
    count += 1
    if (count <= most) spans.push({ from: itemFrom, to })
    itemFrom = to + 1
  }
  for (let at = from; at < text.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + STEP
      yield
    }
    switch (text[at]) {
      case '"':
        at = yield* endOfText(text, at)
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

/** Where the quotation mark is that closes the one at `from`; the end of the text where none does. */
function* endOfText(text: string, from: number): Sliced<number> {
  let pauseAt = from + STEP
  for (let at = from + 1; at < text.length; at += 1) {
    if (at >= pauseAt) {
      pauseAt = at + STEP
      yield
    }
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
