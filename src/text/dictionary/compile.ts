// Compiles a dictionary: words into a trie, patterns into programs, replacements into templates.

import { RE2JS, RE2JSException } from 're2js'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { createPause } from '../../lib/time-slice.ts'
import type { TextRange } from '../text-tokens.ts'
import { foldingFor, type Rewriting, rewrite } from './case-folding.ts'
import { type Entry, parseTemplate, type TemplatePart } from './entry.ts'

/** Finds all words that begin at an offset; the time does not depend on the number of words. */
export type Trie<T> = {
  add(word: string, value: T): void
  /** calls `found` for every word that begins at `at`, shortest first, with its end */
  walk(text: string, at: number, found: (value: T, end: number) => void): void
}

/** Code units are below this, so a node and the next unit combine into one number. */
const UNITS = 0x10000

function createTrie<T>(): Trie<T> {
  const children = new Map<number, number>()
  const values: (T[] | undefined)[] = [undefined]
  return {
    add(word, value) {
      let node = 0
      for (let i = 0; i < word.length; i += 1) {
        const key = node * UNITS + word.charCodeAt(i)
        let next = children.get(key)
        if (next === undefined) {
          next = values.push(undefined) - 1
          children.set(key, next)
        }
        node = next
      }
      const existing = values[node]
      if (existing) existing.push(value)
      else values[node] = [value]
    },
    walk(text, at, found) {
      let node: number | undefined = 0
      for (let i = at; i < text.length; i += 1) {
        node = children.get(node * UNITS + text.charCodeAt(i))
        if (node === undefined) return
        for (const value of values[node] ?? []) found(value, i + 1)
      }
    },
  }
}

/** In instructions; the time per character grows with them. */
const MAX_PROGRAM = 1000

/** Replacements for RE2 messages that users would not understand. */
const REASONS: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'uses lookahead or lookbehind, which is not supported'],
  [/^\\[1-9]/, 'uses a backreference, which is not supported'],
]

export type PatternOptions = { caseSensitive: boolean }

/** The failure is a message that follows the name of the field: "is not a pattern: …". */
export function compileEntryPattern(
  pattern: string,
  { caseSensitive }: PatternOptions,
): Result<RE2JS, string> {
  try {
    const compiled = RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    if (compiled.programSize() > MAX_PROGRAM)
      return fail('is a pattern that is too complex; use fewer or smaller repetitions')
    if (compiled.matcher('').find())
      return fail('is a pattern that matches the empty text, and so everywhere')
    return succeed(compiled)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return fail(reasonOf(error.message))
  }
}

function reasonOf(message: string): string {
  // RE2 adds the flag (?i), which the user did not write.
  const [, what = '', where = ''] =
    /error parsing regexp: (.*?)(?:: `(?:\(\?i\))?(.*)`)?$/su.exec(message) ?? []
  const known = REASONS.find(([pattern]) => pattern.test(where))
  if (known) return known[1]
  if (what === 'invalid repeat count') return 'has a repetition of more than 1000, which is not supported'
  return `is not a pattern: ${what || message}${where ? ` in ${where}` : ''}`
}

/** One form of an entry: its word or an alias. */
export type WrittenForm = {
  entry: Entry
  typed: string
  /** false for the word of a term, which is only counted */
  rewrites: boolean
}

export type EntryPattern = { entry: Entry; regex: RE2JS }

export type Dictionary = {
  /** the enabled entries */
  entries: readonly Entry[]
  /** in order of preference */
  patterns: readonly EntryPattern[]
  /** the parsed replacement of an entry; cached */
  templateOf(entry: Entry): readonly TemplatePart[]
  /** the forms of all entries, folded for the language; cached */
  formsFor(language: string | null): Promise<Trie<WrittenForm>>
}

/** Expects valid entries (check-entry.ts), but skips a pattern that does not compile. */
export async function compiled(entries: readonly Entry[]): Promise<Dictionary> {
  const pause = createPause()
  const enabled = entries.filter((entry) => entry.enabled)
  const patterns: EntryPattern[] = []
  for (const entry of enabled) {
    patterns.push(...patternOf(entry))
    await pause()
  }
  const templates = new Map<Entry, readonly TemplatePart[]>()
  const tries = new Map<Rewriting, Promise<Trie<WrittenForm>>>()
  return {
    entries: enabled,
    patterns: patterns.sort((a, b) => preference(a.entry, b.entry)),
    templateOf(entry) {
      const template = templates.get(entry) ?? parseTemplate(withReplacement(entry))
      templates.set(entry, template)
      return template
    },
    formsFor(language) {
      const folding = foldingFor(language)
      const trie = tries.get(folding) ?? trieOf(enabled, folding)
      tries.set(folding, trie)
      return trie
    },
  }
}

/** Negative if `a` is preferred over `b`. */
export const preference = (a: Entry, b: Entry): number =>
  Number(b.language !== null) - Number(a.language !== null) ||
  b.priority - a.priority ||
  (a.id < b.id ? -1 : Number(a.id > b.id))

/** Whether an entry applies to texts in this language; if it is unknown (null), every entry does. */
export const isFor = (entry: Entry, language: string | null): boolean =>
  entry.language === null || language === null || entry.language === language

/** The misheard forms of a term are written as the term. */
const withReplacement = (entry: Entry): Entry =>
  entry.type === 'term' ? { ...entry, replacement: entry.word } : entry

function patternOf(entry: Entry): EntryPattern[] {
  if (!entry.isRegex) return []
  const compiled = compileEntryPattern(entry.word, entry)
  return compiled.ok ? [{ entry, regex: compiled.value }] : []
}

async function trieOf(entries: readonly Entry[], folding: Rewriting): Promise<Trie<WrittenForm>> {
  const pause = createPause()
  const trie = createTrie<WrittenForm>()
  for (const entry of entries) {
    await pause()
    if (entry.isRegex) continue
    for (const typed of [entry.word, ...entry.aliases])
      trie.add(rewrite(typed, folding).text, {
        entry,
        typed,
        rewrites: entry.type !== 'term' || typed !== entry.word,
      })
  }
  return trie
}

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Scripts without spaces between words: a word can begin or end anywhere. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isWord = (character: string): boolean => WORD.test(character) && !UNSPACED.test(character)

/** The base code point of the character at `at`. */
const baseAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

/** Whether two adjacent characters, given by their offsets, may belong to different words. */
export const isBoundary = (text: string, before: number, after: number): boolean =>
  !(isWord(baseAt(text, before)) && isWord(baseAt(text, after)))

/**
 * E-mail addresses and URLs: an entry "Anna" must not match within anna@example.com. Each alternative starts only where a
 * run of its characters starts, so that a long run is scanned once.
 */
const ADDRESS = new RegExp(
  [
    '(?<![\\p{L}\\p{N}_%+.-])[\\p{L}\\p{N}_%+.-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+',
    '(?<![\\p{L}\\p{N}+.-])\\p{L}[\\p{L}\\p{N}+.-]*://[^\\s<>"“”«»]+',
    '(?<![\\p{L}\\p{N}])www\\.[^\\s<>"“”«»]+',
  ].join('|'),
  'giu',
)

export function addressRanges(text: string): TextRange[] {
  if (!/@|:\/\/|www\./iu.test(text)) return []
  return Array.from(text.matchAll(ADDRESS), ({ 0: address, index }) => ({
    from: index,
    to: index + lengthWithoutPunctuation(address),
  }))
}

const PUNCTUATION = '.,;:!?)]}'

/** Punctuation after an address belongs to the sentence. */
function lengthWithoutPunctuation(address: string): number {
  let length = address.length
  while (length > 0 && PUNCTUATION.includes(address[length - 1]!)) length -= 1
  return length
}

/** Whether a match begins or ends within one of the ranges; a match of a whole range is allowed. */
export const cuts = (ranges: readonly TextRange[], from: number, to: number): boolean =>
  isWithin(ranges, from) || isWithin(ranges, to)

/** Whether one of the sorted ranges begins before an offset and ends after it. */
function isWithin(ranges: readonly TextRange[], offset: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.to > offset) high = middle
    else low = middle + 1
  }
  return low < ranges.length && ranges[low]!.from < offset
}

/** "can" in "can't" and "won" in "won't" are not whole words. */
const CONTRACTION = /^['’]t(?![\p{L}\p{N}\p{M}])/iu

export const isContracted = (text: string, at: number): boolean => CONTRACTION.test(text.slice(at, at + 4))
