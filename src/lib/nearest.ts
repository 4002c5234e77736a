// The word of a list that somebody most likely meant who wrote another: for "did you mean" in answers and on the screen.
// Knows no words itself.

import { distance } from 'fastest-levenshtein'

/** One slip in three letters still looks like the word that was meant. */
const LETTERS_A_SLIP = 3

/** A part of a name says which is meant only where it is a word, not two letters. */
const LETTERS_OF_A_PART = 4

/** Longer than any name; what is compared costs the product of both lengths. */
const MAX_LETTERS = 100

const partsOf = (name: string): string[] => name.toLowerCase().split(/[_\-./ ]/)

/** Null where none is near. Case does not count; of several the nearest, then the first of the list. */
export function nearest(word: string, words: readonly string[]): string | null {
  const wanted = word.toLowerCase()
  if (wanted === '' || wanted.length > MAX_LETTERS) return null
  const part = words.find((one) => partsOf(one).includes(wanted))
  if (part !== undefined && wanted.length >= LETTERS_OF_A_PART) return part
  const allowed = Math.max(1, Math.floor(wanted.length / LETTERS_A_SLIP))
  const [best] = words
    .map((one) => ({ one, slips: distance(wanted, one.toLowerCase()) }))
    .filter(({ one, slips }) => slips <= allowed && slips < one.length)
    .toSorted((a, b) => a.slips - b.slips)
  return best?.one ?? null
}

/** With its full stop, unless it ends by asking what was meant. */
export const asSentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** `; did you mean "x"?`, to be put behind a sentence that has no full stop; empty where there is nothing to ask. */
export const didYouMean = (meant: string | null): string =>
  meant === null ? '' : `; did you mean "${meant}"?`
