// Writes number words as digits where the style asks for it, outside of what is kept letter for letter.
// Not how numbers are read: that is src/text/numbers.

import { wordsToDigits } from '../numbers/words-to-digits.ts'
import type { RefinementStep } from './step.ts'
import { join, type TextToken } from './tokens.ts'

/**
 * Style rule 'words' leaves the text alone: turning digits into words would lose them ("version 3", "room 12"), and no
 * digit of the speaker may be lost.
 */
export const writeNumbers: RefinementStep = (tokens, { language, rules }) => {
  if (rules.numbers === 'words') return join(tokens)
  let text = ''
  let run: TextToken[] = []
  for (const token of tokens) {
    if (token.kind === 'kept') {
      text += wordsToDigits(join(run), language.code) + token.text
      run = []
    } else run.push(token)
  }
  return text + wordsToDigits(join(run), language.code)
}
