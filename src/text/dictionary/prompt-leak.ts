// Detects a transcript that only repeats the prompt, or the terms in it, because the audio had no speech.

import { fold } from '../fold.ts'
import type { DictionaryPrompt } from './prompt.ts'

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
