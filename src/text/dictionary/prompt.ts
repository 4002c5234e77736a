// Builds the recogniser's prompt: the initial prompts, then the terms, the most important one last. Detects a result
// that repeats it.

import { fold } from '../fold.ts'
import { FOLDED, rewrite } from './case-folding.ts'
import { isFor } from './compile.ts'
import type { Entry } from './entry.ts'

/** Half of Whisper's context, 224 tokens, minus the token that starts the prompt. */
export const MAX_PROMPT_TOKENS = 223

/** Counts the tokens of a text, leading spaces included; never returns fewer than the true number. */
export type CountTokens = (text: string) => number

/** Every token of a byte-pair vocabulary is at least one byte. */
export const countBytes: CountTokens = (text) => Buffer.byteLength(text)

/**
 * A longer text never fits into 223 tokens, unless it is not worth sending, and tokenizing a whole book takes too long.
 */
const MAX_PROMPT_CHARACTERS = 4000

export type PromptRequest = {
  /** the enabled entries */
  entries: readonly Entry[]
  /** terms for this request only, most important first; they rank before those of the dictionary */
  keywords?: readonly string[]
  /** null: unknown before transcription; then all terms are candidates */
  language: string | null
  /** the initial prompts of the settings and of the request, in this order */
  texts: readonly (string | null)[]
  countTokens?: CountTokens | undefined
}

export type DictionaryPrompt = {
  /** null if empty */
  prompt: string | null
  tokens: number
  /** the terms in the prompt, the most important last */
  terms: string[]
  /** terms that did not fit, the most important first; at most MAX_DROPPED */
  dropped: { id: string; word: string }[]
  /** keywords that did not fit */
  droppedKeywords: string[]
  /** whether the beginning of the texts was cut off */
  shortened: boolean
}

/** After this many terms in a row that did not fit, stop trying. */
const MAX_MISSES = 200

export const MAX_DROPPED = 1000

export function dictionaryPrompt(request: PromptRequest): DictionaryPrompt {
  const { texts, countTokens = countBytes } = request
  // The engine prepends a space.
  const count = (text: string) => (text === '' ? 0 : countTokens(` ${text}`))
  const given = texts.flatMap((text) => text?.trim().replace(/\s+/g, ' ') || []).join(' ')
  const whole = endOf(given)
  const ranked = rankedTerms(request)
  // A long text leaves half of the tokens to the terms.
  const reserved = Math.min(count(whole), Math.floor(MAX_PROMPT_TOKENS / 2))
  const chosen = chooseTerms(ranked, MAX_PROMPT_TOKENS - reserved, count)
  let text = lastPart(whole, MAX_PROMPT_TOKENS - count(listOf(chosen)), count)
  // Where two parts meet, the tokenizer may split differently.
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

/** The end of a text, from the start of a word if words are separated by spaces. */
function endOf(text: string): string {
  if (text.length <= MAX_PROMPT_CHARACTERS) return text
  return text
    .slice(-MAX_PROMPT_CHARACTERS)
    .replace(/^\S*\s+/, '')
    .toWellFormed()
}

/** A keyword has no id. */
type Term = { id: string | null; word: string }

/** More terms can neither fit into the prompt nor be listed as dropped. */
const MAX_RANKED = MAX_PROMPT_TOKENS + MAX_DROPPED

/** Most important first. Words that only differ in case are deduplicated: one may exist for several languages. */
function rankedTerms({ entries, keywords = [], language }: PromptRequest): Term[] {
  const terms = entries.filter((entry) => entry.type === 'term' && isFor(entry, language))
  const requested = keywords.map((word) => ({ id: null, word: word.trim() }))
  const words = new Set([''])
  const ranked: Term[] = []
  for (const term of [...requested, ...terms.sort(compareTerms)]) {
    if (ranked.length === MAX_RANKED + requested.length) break
    const folded = rewrite(term.word, FOLDED).text
    if (!words.has(folded)) ranked.push(term)
    words.add(folded)
  }
  return ranked
}

const lastTouched = (entry: Entry): number => (entry.lastUsedAt ?? entry.createdAt).getTime()

const compareTerms = (a: Entry, b: Entry): number =>
  b.priority - a.priority ||
  b.usageCount - a.usageCount ||
  lastTouched(b) - lastTouched(a) ||
  (a.id < b.id ? -1 : 1)

/** If a long term does not fit, tries the shorter ones after it. */
function chooseTerms(ranked: readonly Term[], room: number, count: CountTokens): Term[] {
  const chosen: Term[] = []
  let [left, misses] = [room, 0]
  for (const entry of ranked) {
    // Includes the separating comma.
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

// The full stop matters: without it tiny.en continued in lowercase, as within a sentence (observed on human-2).
const listOf = (chosen: readonly Term[]): string =>
  chosen.length === 0
    ? ''
    : `${chosen
        .map(({ word }) => word)
        .toReversed()
        .join(', ')}.`

const joined = (text: string, chosen: readonly Term[]): string => `${text} ${listOf(chosen)}`.trim()

/** As much of the end of a text as fits, from the start of a word. */
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

/** The prompt that the transcript is compared with. */
export type GivenPrompt = Pick<DictionaryPrompt, 'prompt' | 'terms'>

/** The engine's confidence in its result, if it reports one. */
export type LeakEvidence = {
  /** 0 to 1 */
  noSpeechProb?: number | null
}

/** Speech never consists of this many terms in the order of the prompt and nothing else. */
const MANY_TERMS = 3
/** Speech never consists of this many consecutive words of the prompt. */
const MANY_WORDS = 8
/** From this probability on, Whisper takes the audio for silence (its own threshold). */
const SILENT = 0.6
/** Below this probability of silence, Whisper is sure that the audio has speech. */
const SPOKEN = 0.2

/**
 * True if a text has nothing but words of the prompt. A single term is normal speech and no leak, unless the engine took
 * the audio for silence or repeats the term. Two terms that are the whole dictionary are a leak, unless the engine is sure
 * of the speech.
 */
export function isPromptLeak(
  text: string,
  given: GivenPrompt,
  { noSpeechProb = null }: LeakEvidence = {},
): boolean {
  const spoken = wordsOf(text)
  if (spoken.length === 0 || given.prompt === null) return false
  const terms = given.terms.map(wordsOf).filter((words) => words.length > 0)
  const run = longestRun(spoken, terms)
  if (run >= MANY_TERMS) return true
  const isSilent = (noSpeechProb ?? 0) >= SILENT
  const isSpoken = noSpeechProb !== null && noSpeechProb < SPOKEN
  if (run > 0) return isSilent || (run > 1 && run >= terms.length && !isSpoken)
  const prompt = wordsOf(given.prompt)
  if (!isWithin(spoken, prompt)) return false
  return (
    spoken.length >= MANY_WORDS ||
    isSilent ||
    (spoken.length > 1 && spoken.length === prompt.length && !isSpoken)
  )
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const isWithin = (part: readonly string[], whole: readonly string[]): boolean =>
  ` ${whole.join(' ')} `.includes(` ${part.join(' ')} `)

/**
 * The number of terms if the text consists only of consecutive terms, starting over after the last one, or of one term
 * repeated; else 0. The last term may be cut off.
 */
function longestRun(spoken: readonly string[], terms: readonly string[][]): number {
  let longest = 0
  for (let first = 0; first < terms.length; first += 1)
    for (const step of [1, 0]) longest = Math.max(longest, runFrom(spoken, terms, { first, step }))
  return longest
}

function runFrom(
  spoken: readonly string[],
  terms: readonly string[][],
  { first, step }: { first: number; step: number },
): number {
  let [at, run] = [0, 0]
  for (let index = first; at < spoken.length; index = (index + step) % terms.length) {
    const words = terms[index]!
    const rest = spoken.slice(at, at + words.length)
    if (!rest.every((word, i) => word === words[i])) return 0
    // A text that stops within its first term has no complete term.
    if (rest.length < words.length && run === 0) return 0
    at += rest.length
    run += 1
  }
  return run
}
