// Finds the word that a user most likely meant: "did you mean" in responses and in the messages of scripts.

import { distance } from 'fastest-levenshtein'

/** With one typo in three characters a word is still recognisable. */
const CHARACTERS_PER_TYPO = 3

/** A part of a name identifies it only from this length on; two characters do not. */
const MIN_PART_CHARACTERS = 4

/** Longer than any name. A comparison costs the product of both lengths. */
const MAX_CHARACTERS = 100

const partsOf = (name: string): string[] => name.toLowerCase().split(/[_\-./ ]/)

/** Null if no word is near. Ignores case. Returns the nearest word; of equally near ones the first in the list. */
export function closestWord(word: string, words: readonly string[]): string | null {
  const wanted = word.toLowerCase()
  if (wanted === '' || wanted.length > MAX_CHARACTERS) return null
  const part = words.find((one) => partsOf(one).includes(wanted))
  if (part !== undefined && wanted.length >= MIN_PART_CHARACTERS) return part
  const allowed = Math.max(1, Math.floor(wanted.length / CHARACTERS_PER_TYPO))
  const [best] = words
    .map((one) => ({ one, typos: distance(wanted, one.toLowerCase()) }))
    .filter(({ one, typos }) => typos <= allowed && typos < one.length)
    .toSorted((a, b) => a.typos - b.typos)
  return best?.one ?? null
}

/** Adds a full stop, unless the text ends with a question. */
export const asSentence = (text: string): string => (text.endsWith('?') ? text : `${text}.`)

/** `; did you mean "x"?`, to append to a sentence without a full stop; empty if there is no suggestion. */
export const didYouMean = (meant: string | null): string =>
  meant === null ? '' : `; did you mean "${meant}"?`
