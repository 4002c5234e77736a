// Finds the parts of a text that a dictionary rewrites, in one pass: at each offset the longest match wins.

import { createPause } from '../../lib/time-slice.ts'
import type { TextRange } from '../text-tokens.ts'
import { foldingFor, rewrite } from './case-folding.ts'
import {
  addressRanges,
  cuts,
  type Dictionary,
  isBoundary,
  isContracted,
  isFor,
  preference,
  type Trie,
  type WrittenForm,
} from './compile.ts'
import {
  type Applied,
  type Entry,
  expandTemplate,
  type GroupText,
  type Placeholder,
  type Surroundings,
} from './entry.ts'
import { type PatternMatch, scanPatterns } from './scan-patterns.ts'

/** A range of the text, in UTF-16 code units, and its replacement. */
export type Edit = { id: string; from: number; to: number; text: string }

/** Widens the range of the edit or trims its text to fit; `previous` is the edit before it. */
function fitEdit(text: string, edit: Edit, previous: Edit | undefined): Edit {
  const fitted = fitPunctuation(text, isAlreadyWritten(text, edit) ? { ...edit, text: '' } : edit)
  return fitSpaces(text, fitted, previous)
}

/** The recogniser often writes both the comma and the spoken word "comma". */
const isAlreadyWritten = (text: string, { from, text: mark }: Edit): boolean =>
  ONLY_PUNCTUATION.test(mark) &&
  text
    .slice(Math.max(0, from - 8), from)
    .trimEnd()
    .endsWith(mark.trim())

const SPACE = /[^\S\n]/
const CLOSES = /[\s.,;:!?…)\]}»”]/u
/** A replacement that is spoken punctuation attaches to the word before it. */
const ONLY_PUNCTUATION = /^[.,;:!?…]+\s*$/u

/** An empty replacement also removes one adjacent space; outer white space of a replacement replaces adjacent spaces. */
function fitSpaces(text: string, edit: Edit, previous: Edit | undefined): Edit {
  const [before, after] = [text[edit.from - 1], text[edit.to]]
  const isTaken = previous !== undefined && previous.to > edit.from - 1
  const spaceBefore = before !== undefined && SPACE.test(before) && !isTaken
  const spaceAfter = after !== undefined && SPACE.test(after)
  const wider = (atStart: boolean, atEnd: boolean) => ({
    ...edit,
    from: atStart && spaceBefore ? edit.from - 1 : edit.from,
    to: atEnd && spaceAfter ? edit.to + 1 : edit.to,
  })
  if (edit.text !== '')
    return wider(/^\s/.test(edit.text) || ONLY_PUNCTUATION.test(edit.text), /\s$/.test(edit.text))
  if (spaceBefore && (after === undefined || CLOSES.test(after))) return wider(true, false)
  return wider(false, before === undefined || before === '\n' || (isTaken && previous.text === ''))
}

type Mark = 'stop' | 'abbreviation' | 'question' | 'exclamation' | 'ellipsis' | 'pause'

/** A Latin full stop may belong to an abbreviation, which a comma may follow; other full stops end a sentence. */
const MARKS: Record<Mark, string> = {
  abbreviation: '.．',
  stop: '。｡۔।॥։',
  question: '?？؟',
  exclamation: '!！',
  ellipsis: '…⋯',
  pause: ',，､、،;；؛:：',
}

const markOf = (character: string | undefined): Mark | null =>
  character === undefined
    ? null
    : ((Object.keys(MARKS) as Mark[]).find((mark) => MARKS[mark].includes(character)) ?? null)

/** Punctuation that is redundant after other punctuation. */
const REDUNDANT_AFTER: Record<Mark, readonly Mark[]> = {
  abbreviation: ['abbreviation', 'stop'],
  stop: ['abbreviation', 'stop', 'pause'],
  question: ['abbreviation', 'stop', 'question'],
  exclamation: ['abbreviation', 'stop', 'exclamation'],
  ellipsis: ['abbreviation', 'stop', 'ellipsis'],
  pause: ['abbreviation', 'stop', 'pause'],
}

/** Punctuation with a combining character is part of a symbol. */
const isAlone = (text: string, at: number): boolean => !/^[\p{M}\u200d]/u.test(text.slice(at + 1, at + 3))

const CLOSING_QUOTES = /^["”’»'」』]+/u
const ENDS_IN_QUOTES = /["”’»'」』]+$/u
const ENDS_IN_SPACES = /[^\S\n]+$/

/** Removes the punctuation after the match if the punctuation of the replacement makes it redundant. */
function fitPunctuation(text: string, edit: Edit): Edit {
  const [quotes = ''] = CLOSING_QUOTES.exec(text.slice(edit.to, edit.to + 4)) ?? []
  const at = edit.to + quotes.length
  const next = isAlone(text, at) ? markOf(text[at]) : null
  if (next === null || edit.text === '') return edit
  const trimmed = { ...edit, text: edit.text.replace(ENDS_IN_SPACES, '') }
  // After a line break, a full stop would be alone on its line.
  const last = edit.text.endsWith('\n') ? 'pause' : markOf(trimmed.text.replace(ENDS_IN_QUOTES, '').at(-1))
  if (last === null || !REDUNDANT_AFTER[last].includes(next)) return quotes === '' ? trimmed : edit
  return { ...trimmed, text: trimmed.text + quotes, to: at + 1 }
}

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

/** Characters processed between two pauses. */
const CHARACTERS_PER_PAUSE = 256

const NONE: readonly PatternMatch[] = []

type Match = { entry: Entry; to: number; groupText: GroupText; typed: string | null }

type Reading = {
  text: string
  folded: string
  origins: Int32Array
  language: string | null
  forms: Trie<WrittenForm>
  addresses: TextRange[]
  /** counts by entry of the terms that the text already has */
  seen: Map<string, number>
}

export async function editsIn(
  dictionary: Dictionary,
  text: string,
  surroundings: Surroundings,
): Promise<Edits> {
  const pause = createPause()
  const { language } = surroundings
  const { text: folded, origins } = rewrite(text, foldingFor(language))
  const wanted = dictionary.patterns.filter(({ entry }) => isFor(entry, language))
  const scan = await scanPatterns(wanted, text)
  const forms = await dictionary.formsFor(language)
  const addresses = addressRanges(text)
  const seen = new Map<string, number>()
  const reading = { text, folded, origins, language, forms, addresses, seen }
  const [edits, missing]: [Edit[], Edits['missing']] = [[], []]
  for (let at = 0; at < folded.length; ) {
    const from = origins[at]!
    const isTaken = from < (edits.at(-1)?.to ?? 0)
    if (at % CHARACTERS_PER_PAUSE === 0) await pause()
    const found = isTaken || scan === null ? NONE : await scan.matchesAt(from)
    const match = isTaken ? null : bestMatch(reading, at, found)
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
  return { edits, seen: counted, missing, givenUp: [...(scan?.givenUp ?? [])] }
}

/** `found`: the matches of patterns at this offset */
function bestMatch(reading: Reading, at: number, found: readonly PatternMatch[]): Match | null {
  const { text, folded, origins, forms, language, seen } = reading
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
  for (const one of found) {
    const match = asMatch(reading, at, one)
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
