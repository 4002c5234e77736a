// Removes hesitations ("um", "äh", "euh", "えーと") and the commas around them.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import { after, before, isQuestion } from './punctuation.ts'
import { removeSpans, type TokenRange } from './removal.ts'
import type { RefinementStep } from './step.ts'
import { join, type TextToken } from './tokens.ts'

export const removeHesitations: RefinementStep = (tokens, { language }) => {
  const spans: TokenRange[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const spared = matchAt(tokens, index, language.spared)
    if (spared) {
      index = spared.to - 1
      continue
    }
    const to = hesitationAt(tokens, index, language)
    if (to === null || isAnswer(tokens, index, to)) continue
    spans.push({ from: index, to })
    index = to - 1
  }
  return spans.length === 0 ? join(tokens) : removeSpans(tokens, spans, language)
}

function hesitationAt(tokens: readonly TextToken[], at: number, language: Language): number | null {
  const token = tokens[at]!
  if (token.kind === 'ideograph') return matchAt(tokens, at, language.hesitationPhrases)?.to ?? null
  if (token.kind !== 'word' || token.key.length > 12 || !language.hesitation.test(token.key)) return null
  return isUnitOrName(tokens, at) ? null : at + 1
}

/** "5 mm" has a unit, and "the ER" a name. */
const isUnitOrName = (tokens: readonly TextToken[], at: number): boolean =>
  tokens[before(tokens, at)]?.kind === 'number' || /^\p{Lu}{2,}$/u.test(tokens[at]!.text)

/** "Hm?" is a question, not a hesitation. */
const isAnswer = (tokens: readonly TextToken[], from: number, to: number): boolean =>
  isQuestion(tokens[after(tokens, to)]) && (from === 0 || tokens[before(tokens, from)]?.kind !== 'word')
