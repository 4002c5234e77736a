// Error rate of a transcript: words, or characters in scripts without spaces. Case and punctuation do not count.

import { UNSPACED_SCRIPTS } from '../../src/text/text-tokens.ts'
import { editDistance, wordsOf } from '../support/speech.ts'

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'v')

/** Words; characters in unspaced scripts. */
export const unitsOf = (text: string): string[] =>
  wordsOf(text).flatMap((word) => (UNSPACED.test(word) ? [...word] : [word]))

export type ErrorRate = { wrong: number; of: number }

export const errorsIn = (text: string, reference: string): ErrorRate => {
  const units = unitsOf(reference)
  return { wrong: editDistance(unitsOf(text), units), of: units.length }
}

export const points = ({ wrong, of }: ErrorRate): number => (100 * wrong) / of

export const together = (some: ErrorRate[]): ErrorRate => ({
  wrong: some.reduce((sum, { wrong }) => sum + wrong, 0),
  of: some.reduce((sum, { of }) => sum + of, 0),
})
