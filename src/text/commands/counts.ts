// Counts of a text as an answer in words, such as "42 words".

import { knownLanguage, type Unit, unitSpans } from './segments.ts'

const WORDS_PER_MINUTE = 238

export function countOf(text: string, unit: Unit, language: string | null = null): string {
  const count = unitSpans(text, unit, knownLanguage(language)).length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Silent reading speed for English non-fiction, from Brysbaert (2019). */
export function readingTime(text: string, language: string | null = null): string {
  const words = unitSpans(text, 'word', knownLanguage(language)).length
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE))
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`
}
