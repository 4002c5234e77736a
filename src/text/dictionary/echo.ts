// Tells when a recogniser that heard nothing said what it had been told before: the prompt, or the terms in it.
// Judges words alone; what becomes of such a text is transcription's.

import { fold } from '../fold.ts'
import type { DictionaryPrompt } from './prompt.ts'

/** What an echo is compared with. */
export type Told = Pick<DictionaryPrompt, 'prompt' | 'terms'>

/** What the engine thinks of its own result, where it says so. */
export type EchoEvidence = {
  /** 0 to 1 */
  noSpeechProb?: number | null
}

/** Nobody says so many of his terms in the order of the prompt and nothing else. */
const MANY_TERMS = 3
/** Nor so many words of the text before. */
const MANY_WORDS = 8
/** Whisper's own limit. */
const SILENT = 0.6
/** Whisper is sure that somebody spoke. */
const SPOKEN = 0.2

/**
 * True where a text holds nothing but what the recogniser was told. One term alone is what people say and no echo, unless
 * the engine took it for silence, or says it over and over. Two terms that are the whole dictionary are an echo, unless
 * the engine is sure that it heard speech.
 */
export function isEcho(text: string, told: Told, { noSpeechProb = null }: EchoEvidence = {}): boolean {
  const said = wordsOf(text)
  if (said.length === 0 || told.prompt === null) return false
  const terms = told.terms.map(wordsOf).filter((words) => words.length > 0)
  const run = longestRun(said, terms)
  if (run >= MANY_TERMS) return true
  const isSilent = (noSpeechProb ?? 0) >= SILENT
  const isSpoken = noSpeechProb !== null && noSpeechProb < SPOKEN
  if (run > 0) return isSilent || (run > 1 && run >= terms.length && !isSpoken)
  const before = wordsOf(told.prompt)
  if (!isWithin(said, before)) return false
  return (
    said.length >= MANY_WORDS || isSilent || (said.length > 1 && said.length === before.length && !isSpoken)
  )
}

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const isWithin = (part: readonly string[], whole: readonly string[]): boolean =>
  ` ${whole.join(' ')} `.includes(` ${part.join(' ')} `)

/**
 * How many terms a text is, one behind the other in their order, which begins again after the last, or one term over
 * and over; 0 where it is anything else. The last may be cut short.
 */
function longestRun(said: readonly string[], terms: readonly string[][]): number {
  let longest = 0
  for (let first = 0; first < terms.length; first += 1)
    for (const step of [1, 0]) longest = Math.max(longest, runFrom(said, terms, { first, step }))
  return longest
}

function runFrom(
  said: readonly string[],
  terms: readonly string[][],
  { first, step }: { first: number; step: number },
): number {
  let [at, run] = [0, 0]
  for (let index = first; at < said.length; index = (index + step) % terms.length) {
    const words = terms[index]!
    const rest = said.slice(at, at + words.length)
    if (!rest.every((word, i) => word === words[i])) return 0
    // the model ran out of breath in the middle of a term
    if (rest.length < words.length && run === 0) return 0
    at += rest.length
    run += 1
  }
  return run
}
