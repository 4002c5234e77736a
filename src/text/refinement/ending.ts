// Applies the style's ending: the final full stop and the trailing space. These rules apply even if cleaning is off.

import { isTerminator } from './punctuation.ts'
import type { RefinementStep } from './step.ts'
import { join, make, type TextToken } from './tokens.ts'

export const applyTrailingPeriod: RefinementStep = (tokens, { language, rules }) => {
  if (rules.trailingPeriod === 'keep') return join(tokens)
  const last = tokens.findLastIndex(({ kind }) => kind !== 'space' && kind !== 'newline')
  if (last === -1) return join(tokens)
  const changed =
    rules.trailingPeriod === 'add'
      ? withPeriod(tokens, last)
      : withoutPeriod(tokens, last, language.abbreviations)
  return join([...changed, ...tokens.slice(last + 1)])
}

export const applyTrailingSpace: RefinementStep = (tokens, { rules }) => {
  const text = join(tokens)
  return rules.trailingSpace && text.trim() !== '' && !/\s$/.test(text) ? `${text} ` : text
}

/** Adds a full stop after a word or a number; not after an address, which it would become part of, or a list item. */
function withPeriod(tokens: readonly TextToken[], last: number): TextToken[] {
  const kept = tokens.slice(0, last + 1)
  const token = kept[last]!
  const quotation =
    token.kind === 'kept' &&
    /[”"»“」』]$/u.test(token.text) &&
    !/[.!?。！？…]$/u.test(token.text.slice(0, -1))
  const closed = token.kind === 'mark' && /^[)\]）]$/u.test(token.text) && !isTerminator(kept[last - 1])
  const spoken = token.kind === 'word' || token.kind === 'number' || token.kind === 'ideograph'
  if ((!spoken && !quotation && !closed) || isListItem(kept)) return kept
  return [...kept, make('mark', endsInIdeographs(kept) ? '。' : '.')]
}

const endsInIdeographs = (tokens: readonly TextToken[]): boolean =>
  tokens.findLast(({ kind }) => kind === 'word' || kind === 'ideograph')?.kind === 'ideograph'

function isListItem(tokens: readonly TextToken[]): boolean {
  const line = tokens.slice(tokens.findLastIndex(({ kind }) => kind === 'newline') + 1)
  const text = join(line.slice(0, 8)).trimStart()
  return /^(?:[-*•–]|\d+[.)])\s/.test(text)
}

/** Removes one full stop; keeps an ellipsis and the full stop of an abbreviation ("etc.", "p.m."). */
function withoutPeriod(
  tokens: readonly TextToken[],
  last: number,
  abbreviations: ReadonlySet<string>,
): TextToken[] {
  const kept = tokens.slice(0, last + 1)
  const [stop, previous] = [kept[last]!, kept[last - 1]]
  if (stop.text !== '.' && stop.text !== '。') return kept
  const abbreviation =
    previous !== undefined &&
    (abbreviations.has(previous.key) ||
      (previous.kind === 'kept' && /^(?:\p{L}\.)+\p{L}$/u.test(previous.text)))
  return abbreviation || previous === undefined || previous.kind === 'mark' ? kept : kept.slice(0, -1)
}
