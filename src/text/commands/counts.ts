// What a text is counted by: an answer in words, such as "42 words".
// The statistics of captures count for themselves.

import { knownLanguage, type Unit, unitSpans } from './segments.ts'

const WORDS_PER_MINUTE = 238

export function countOf(text: string, unit: Unit, language: string | null = null): string {
  const count = unitSpans(text, unit, knownLanguage(language)).length
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Reading silently, as Brysbaert (2019) found it for English non-fiction. */
export function readingTime(text: string, language: string | null = null): string {
  const words = unitSpans(text, 'word', knownLanguage(language)).length
  const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE))
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`
}
