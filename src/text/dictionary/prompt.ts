// What the recogniser is told before it hears: the person's own text, then the terms, the best of them last.
// Counting tokens is the model's (writing/token-counter.ts); without it bytes are counted, which are never fewer.

import { type Sliced, sorted } from '../../lib/time-slice.ts'
import { FOLDED, rewrite } from './clusters.ts'
import { isFor } from './compile.ts'
import type { Entry } from './entry.ts'

/** Half of what Whisper holds, without the mark that stands before: 224 with it. */
export const MAX_PROMPT_TOKENS = 223

/** How many tokens a text is, spaces at its start included; never fewer than it truly is. */
export type CountTokens = (text: string) => number

/** Every token of a byte-pair vocabulary stands for one byte or more. */
export const countBytes: CountTokens = (text) => Buffer.byteLength(text)

/**
 * More than so many characters are never 223 tokens of a text that is worth telling, and looking for the tokens of a
 * whole book takes its time.
 */
const MAX_PROMPT_CHARACTERS = 4000

export type PromptRequest = {
  /** enabled ones */
  entries: readonly Entry[]
  /** terms for this time alone; they rank before those of the dictionary, the first of them first */
  keywords?: readonly string[]
  /** null: not known before it is heard; then every term may be said */
  language: string | null
  /** of the settings, then of the request */
  texts: readonly (string | null)[]
  countTokens?: CountTokens | undefined
}

export type DictionaryPrompt = {
  /** null where there is nothing to tell */
  prompt: string | null
  tokens: number
  /** the terms in it, the best last */
  terms: string[]
  /** terms that found no room, the best first; at most MAX_DROPPED */
  dropped: { id: string; word: string }[]
  /** those of `keywords` that found none */
  droppedKeywords: string[]
  /** whether the beginning of the texts was cut off */
  shortened: boolean
}

/** So many in a row that did not fit: the others will not fit either. */
const MAX_MISSES = 200

/** More than anybody reads. */
export const MAX_DROPPED = 1000

export function* dictionaryPrompt(request: PromptRequest): Sliced<DictionaryPrompt> {
  const { texts, countTokens = countBytes } = request
  // The engine puts a space before it.
  const count = (text: string) => (text === '' ? 0 : countTokens(` ${text}`))
  const given = texts.flatMap((text) => text?.trim().replace(/\s+/g, ' ') || []).join(' ')
  const whole = endOf(given)
  const ranked = yield* rankedTerms(request)
  // A text that is longer leaves half of the room to the terms.
  const reserved = Math.min(count(whole), Math.floor(MAX_PROMPT_TOKENS / 2))
  const chosen = chooseTerms(ranked, MAX_PROMPT_TOKENS - reserved, count)
  yield
  let text = lastPart(whole, MAX_PROMPT_TOKENS - count(listOf(chosen)), count)
  // Tokens may be cut otherwise where two parts meet.
  while (count(joined(text, chosen)) > MAX_PROMPT_TOKENS) {
    if (chosen.length > 0) chosen.pop()
    else text = lastPart(text, count(text) - 1, count)
  }
  const prompt = joined(text, chosen)
  const isChosen = new Set(chosen)
  const left = ranked.filter((term) => !isChosen.has(term))
  return {
    prompt: prompt === '' ? null : prompt,
    tokens: count(prompt),
    terms: chosen.map(({ word }) => word).reverse(),
    dropped: left.flatMap(({ id, word }) => (id === null ? [] : [{ id, word }])).slice(0, MAX_DROPPED),
    droppedKeywords: left.flatMap(({ id, word }) => (id === null ? [word] : [])),
    shortened: text.length < given.length,
  }
}

/** From a word on, where words have spaces between them. */
function endOf(text: string): string {
  if (text.length <= MAX_PROMPT_CHARACTERS) return text
  return text
    .slice(-MAX_PROMPT_CHARACTERS)
    .replace(/^\S*\s+/, '')
    .toWellFormed()
}

/** A keyword has no id. */
type Term = { id: string | null; word: string }

/** No prompt has more tokens than this, nor a list of those that were dropped more terms. */
const MAX_RANKED = MAX_PROMPT_TOKENS + MAX_DROPPED

/** The best first; of words that differ in case or accents alone the first, since one may be there for several languages. */
function* rankedTerms({ entries, keywords = [], language }: PromptRequest): Sliced<Term[]> {
  const terms = entries.filter((entry) => entry.type === 'term' && isFor(entry, language))
  const asked = keywords.map((word) => ({ id: null, word: word.trim() }))
  const words = new Set([''])
  const ranked: Term[] = []
  for (const term of [...asked, ...(yield* sorted(terms, compareTerms))]) {
    if (ranked.length === MAX_RANKED + asked.length) break
    const folded = rewrite(term.word, FOLDED).text
    if (!words.has(folded)) ranked.push(term)
    words.add(folded)
    yield
  }
  return ranked
}

const lastTouched = (entry: Entry): number => (entry.lastUsedAt ?? entry.createdAt).getTime()

const compareTerms = (a: Entry, b: Entry): number =>
  b.priority - a.priority ||
  b.usageCount - a.usageCount ||
  lastTouched(b) - lastTouched(a) ||
  (a.id < b.id ? -1 : 1)

/** A long term that does not fit leaves its place to shorter ones after it. */
function chooseTerms(ranked: readonly Term[], room: number, count: CountTokens): Term[] {
  const chosen: Term[] = []
  let [left, misses] = [room, 0]
  for (const entry of ranked) {
    // with its comma
    const cost = count(entry.word) + 1
    if (cost <= left) {
      chosen.push(entry)
      left -= cost
      misses = 0
    } else {
      misses += 1
    }
    if (left < 2 || misses > MAX_MISSES) break
  }
  while (count(listOf(chosen)) > room) chosen.pop()
  return chosen
}

// With a full stop: without it tiny.en went on in small letters, as within a sentence (heard on human-2).
const listOf = (chosen: readonly Term[]): string =>
  chosen.length === 0
    ? ''
    : `${chosen
        .map(({ word }) => word)
        .toReversed()
        .join(', ')}.`

const joined = (text: string, chosen: readonly Term[]): string => `${text} ${listOf(chosen)}`.trim()

/** As much of the end of a text as there is room for, from a word on. */
function lastPart(text: string, room: number, count: CountTokens): string {
  if (count(text) <= room) return text
  const starts = [...new Intl.Segmenter('und', { granularity: 'word' }).segment(text)]
    .filter(({ segment }) => segment.trim() !== '')
    .map(({ index }) => index)
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (count(text.slice(starts[middle])) <= room) high = middle
    else low = middle + 1
  }
  return low < starts.length ? text.slice(starts[low]) : ''
}
