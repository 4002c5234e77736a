// Removes words that the speaker corrected, together with the cue: "on Monday, no wait, on Tuesday". If it is unclear
// what is corrected, the text stays.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import {
  after,
  before,
  capitalize,
  isCapitalized,
  isComma,
  isDash,
  isEllipsis,
  isTerminator,
} from './punctuation.ts'
import { findReplaced } from './replaced-words.ts'
import type { RefinementStep, StepContext } from './step.ts'
import { join, make, type TextToken } from './tokens.ts'

export const applySelfCorrections: RefinementStep = (tokens, context) => {
  const kept: TextToken[] = []
  let index = 0
  while (index < tokens.length) {
    const next = retraction(kept, tokens, index, context.language) ?? correction(kept, tokens, index, context)
    if (next === null) {
      kept.push(tokens[index]!)
      index += 1
    } else index = next
  }
  return join(kept)
}

const isPause = (token: TextToken | undefined) => isComma(token) || isDash(token) || isEllipsis(token)

/**
 * "Send it to Bob. Scratch that. Send it to Ann.": removes the previous statement. Removes the retracted tokens from
 * `kept` and returns the index to continue from; null if nothing is retracted.
 */
function retraction(
  kept: TextToken[],
  tokens: readonly TextToken[],
  at: number,
  language: Language,
): number | null {
  const cue = matchAt(tokens, at, language.retractions, true)
  if (!cue) return null
  const [left, right] = [before(kept, kept.length), after(tokens, cue.to)]
  const closed = isPause(tokens[right]) || isTerminator(tokens[right])
  const opened = isPause(kept[left]) || isTerminator(kept[left])
  if (!closed || !opened) return null
  let start = left
  while (start > 0 && !isTerminator(kept[start - 1]) && kept[start - 1]!.kind !== 'newline') start -= 1
  start = after(kept, start)
  // Only a complete statement can be retracted, and its replacement must follow.
  const repair = after(tokens, right + 1)
  if (left - start < 1 || tokens[repair] === undefined || tokens[repair].kind === 'newline') return null
  kept.length = start
  return takeCapital(kept, tokens, repair, language)
}

function correction(
  kept: TextToken[],
  tokens: readonly TextToken[],
  at: number,
  { language }: StepContext,
): number | null {
  const left = before(kept, kept.length)
  if (left < 0 || kept[left]!.kind === 'newline') return null
  // "I have no, wait, …": without punctuation before it, the first word of the cue may belong to the statement.
  const cue = matchAt(tokens, at, language.cues, kept[left]!.kind === 'mark')
  if (!cue) return null
  let right = after(tokens, cue.to)
  const boundary = isTerminator(kept[left]) ? 'sentence' : isPause(kept[left]) ? 'pause' : 'none'
  const paused = isPause(tokens[right]) || (boundary === 'sentence' && isStop(tokens[right]))
  if (paused) right = after(tokens, right + 1)
  if (
    kept[left]!.kind === 'mark' &&
    (boundary === 'none' || (boundary === 'sentence' && !isStop(kept[left])))
  )
    return null
  const end = boundary === 'none' ? left + 1 : before(kept, left) + 1
  const start = findReplaced({ kept, end, tokens, from: right, strength: cue.value, boundary, language })
  if (start === null) return null
  const first = kept[start]!
  kept.length = start
  return isCapitalized(first.text) && first.kind === 'word' && startsText(kept)
    ? takeCapital(kept, tokens, right, language)
    : right
}

const isStop = (token: TextToken | undefined) => isTerminator(token) && /^[.。．]$/.test(token!.text)

const startsText = (kept: readonly TextToken[]): boolean => {
  const previous = kept[before(kept, kept.length)]
  return previous === undefined || previous.kind === 'newline' || isTerminator(previous)
}

/** Capitalizes the token that is now the first of its sentence. */
function takeCapital(
  kept: TextToken[],
  tokens: readonly TextToken[],
  at: number,
  language: Language,
): number {
  const token = tokens[at]!
  if (token.kind !== 'word') return at
  kept.push(make('word', capitalize(token.text, language.code)))
  return at + 1
}
