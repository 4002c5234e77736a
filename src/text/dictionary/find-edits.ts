// Finds the parts of a text that a dictionary rewrites, in one pass: at each offset the longest match wins.

import type { Sliced } from '../../lib/time-slice.ts'
import type { TextRange } from '../text-range.ts'
import { foldingFor, rewritten } from './case-folding.ts'
import { type Dictionary, isFor, preference, type WrittenForm } from './compile.ts'
import type { Applied, Entry } from './entry.ts'
import { type Edit, fitEdit } from './fit-edit.ts'
import { type PatternMatch, type Scan, scanPatterns } from './scan-patterns.ts'
import { expandTemplate, type GroupText, type Placeholder, type Surroundings } from './template.ts'
import type { Trie } from './trie.ts'
import { addressRanges, cuts, isBoundary, isContracted } from './word-boundary.ts'

export type Edits = {
  /** ordered, not overlapping; each changes the text */
  edits: Edit[]
  /** terms that the text already has in their correct form */
  seen: Applied[]
  /** placeholders without a value, by snippet */
  missing: { id: string; placeholder: Placeholder }[]
  /** ids of patterns that took too long and were applied to only part of the text, or not at all */
  givenUp: string[]
}

/** Characters processed between two yields. */
const CHARACTERS_PER_SLICE = 256

type Match = { entry: Entry; to: number; groupText: GroupText; typed: string | null }

type Reading = {
  text: string
  folded: string
  origins: Int32Array
  language: string | null
  forms: Trie<WrittenForm>
  scan: Scan
  addresses: TextRange[]
}

export function* editsIn(dictionary: Dictionary, text: string, surroundings: Surroundings): Sliced<Edits> {
  const { language } = surroundings
  const { text: folded, origins } = yield* rewritten(text, foldingFor(language))
  const wanted = dictionary.patterns.filter(({ entry }) => isFor(entry, language))
  const scan = yield* scanPatterns(wanted, text)
  const forms = yield* dictionary.formsFor(language)
  const addresses = addressRanges(text)
  const reading = { text, folded, origins, language, forms, scan, addresses }
  const seen = new Map<string, number>()
  const [edits, missing]: [Edit[], Edits['missing']] = [[], []]
  for (let at = 0; at < folded.length; ) {
    const from = origins[at]!
    const isTaken = from < (edits.at(-1)?.to ?? 0)
    if (at % CHARACTERS_PER_SLICE === 0) yield
    const match = isTaken ? null : yield* bestMatch(reading, at, seen)
    if (match === null) {
      at += 1
      continue
    }
    const template = dictionary.templateOf(match.entry)
    const expanded = expandTemplate(template, match.groupText, surroundings)
    const { id } = match.entry
    const typed = { id, from, to: origins[match.to]!, text: expanded.text }
    const edit = fitEdit(text, typed, edits.at(-1))
    if (edit.text !== text.slice(edit.from, edit.to)) edits.push(edit)
    missing.push(...expanded.missing.map((placeholder) => ({ id, placeholder })))
    at = match.to
  }
  const counted = [...seen].map(([id, count]) => ({ id, count }))
  return { edits, seen: counted, missing, givenUp: [...scan.givenUp] }
}

function* bestMatch(reading: Reading, at: number, seen: Map<string, number>): Sliced<Match | null> {
  const { text, folded, origins, forms, language, scan } = reading
  const from = origins[at]!
  let best: Match | null = null
  let term: WrittenForm | null = null
  forms.walk(folded, at, (form, end) => {
    if (!isFor(form.entry, language) || !fits(reading, form.entry, at, end)) return
    const written = text.slice(from, origins[end])
    if (form.entry.caseSensitive && composed(written) !== form.typed) return
    if (!form.rewrites) {
      term = form
      return
    }
    const match = { entry: form.entry, to: end, groupText: () => '', typed: form.typed }
    if (best === null || end > best.to || isCloser(match, best, composed(written))) best = match
  })
  for (const found of yield* scan.matchesAt(from)) {
    const match = asMatch(reading, at, found)
    if (match !== null && (best === null || match.to > (best as Match).to)) best = match
  }
  if (best === null && term !== null) seen.set(idOf(term), (seen.get(idOf(term)) ?? 0) + 1)
  return best
}

const idOf = (form: WrittenForm): string => form.entry.id

function asMatch(reading: Reading, at: number, found: PatternMatch | null): Match | null {
  const { origins } = reading
  if (found === null || found.from !== origins[at]) return null
  // A match that ends within a character is rejected.
  let end = at + 1
  while (end < origins.length - 1 && origins[end]! < found.to) end += 1
  if (origins[end] !== found.to || !fits(reading, found.entry, at, end)) return null
  return { entry: found.entry, to: end, groupText: found.groupText, typed: null }
}

/** Whether a match ends at a whole character, and begins and ends at whole words if the entry requires it. */
function fits({ text, origins, addresses }: Reading, entry: Entry, at: number, end: number): boolean {
  if (origins[end]! < 0) return false
  if (!entry.wholeWord) return true
  const [from, to] = [origins[at]!, origins[end]!]
  if (cuts(addresses, from, to)) return false
  if (at > 0 && !isBoundary(text, origins[characterBefore(origins, at)]!, from)) return false
  if (to === text.length) return true
  return isBoundary(text, origins[characterBefore(origins, end)]!, to) && !isContracted(text, to)
}

function characterBefore(origins: Int32Array, at: number): number {
  let before = at - 1
  while (before > 0 && origins[before]! < 0) before -= 1
  return before
}

const composed = (written: string): string => written.normalize('NFC').replace(/\s+/g, ' ')

/** Of two matches of the same length, whether `one` is typed more like the text, or is preferred. */
function isCloser(one: Match, other: Match, written: string): boolean {
  if (one.to < other.to) return false
  const distance = closeness(one, written) - closeness(other, written)
  return distance < 0 || (distance === 0 && preference(one.entry, other.entry) < 0)
}

const closeness = ({ typed }: Match, written: string): number => {
  if (typed === written) return 0
  return typed?.toLowerCase() === written.toLowerCase() ? 1 : 2
}
