// How much of what was read is written otherwise: in words, or in characters where a script has no spaces.
// Case and punctuation do not count.

import { UNSPACED_SCRIPTS } from '../../src/text/unspaced-scripts.ts'
import { stepsApart, wordsOf } from '../support/speech.ts'

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')

/** Words; of those in an unspaced script each character. */
export const unitsOf = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (UNSPACED.test(word) ? [...word] : [word]))

export type Wrong = { wrong: number; of: number }

export const wrongIn = (heard: string, read: string): Wrong => {
  const units = unitsOf(read)
  return { wrong: stepsApart(unitsOf(heard), units), of: units.length }
}

export const points = ({ wrong, of }: Wrong): number => (100 * wrong) / of

export const together = (some: Wrong[]): Wrong => ({
  wrong: some.reduce((sum, { wrong }) => sum + wrong, 0),
  of: some.reduce((sum, { of }) => sum + of, 0),
})
