import { wordsToDigits } from '../numbers/words-to-digits.ts'
import type { RefinementStep } from './step.ts'
import { join, type TextToken } from './tokens.ts'

/**
 * Writes number words as digits, outside protected text. The style rule 'words' changes nothing: writing digits as words
 * would lose digits of the speaker ("version 3", "room 12").
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
