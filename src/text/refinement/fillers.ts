// Two refinement steps: hesitations (“uh”) and discourse words (“you know”) are removed.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import { after, before, isComma, isQuestion, startsSentence } from './punctuation.ts'
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

export const removeDiscourseWords: RefinementStep = (tokens, { language }) => {
  const spans: TokenRange[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const to = discourseAt(tokens, index, language)
    if (to === null) continue
    spans.push({ from: index, to })
    index = to - 1
  }
  return spans.length === 0 ? join(tokens) : removeSpans(tokens, spans, language)
}

function discourseAt(tokens: readonly TextToken[], at: number, language: Language): number | null {
  const next = (to: number) => tokens[after(tokens, to)]
  const initial = matchAt(tokens, at, language.discourseInitial)
  if (initial && isComma(next(initial.to)) && startsClause(tokens, at, language)) return initial.to
  if (!isComma(tokens[before(tokens, at)])) return null
  const between = matchAt(tokens, at, language.discourseBetween)
  if (between && isComma(next(between.to))) return between.to
  const final = matchAt(tokens, at, language.discourseFinal)
  return final && endsStatement(next(final.to)) ? final.to : null
}

/** "…, you know?" is a question and stays; "…, you know." is not. */
const endsStatement = (token: TextToken | undefined): boolean =>
  token === undefined || token.kind === 'newline' || (token.kind === 'mark' && /^[.。．]$/.test(token.text))

/** At the start of a sentence, or after the conjunction that starts it: "But I mean, it works." */
function startsClause(tokens: readonly TextToken[], at: number, language: Language): boolean {
  if (startsSentence(tokens, at)) return true
  if (!language.spaced) return isComma(tokens[before(tokens, at)])
  const previous = before(tokens, at)
  return (
    matchAt(tokens, previous, language.conjunctions)?.to === previous + 1 && startsSentence(tokens, previous)
  )
}
