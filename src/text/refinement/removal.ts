// Removes ranges of tokens and repairs the gaps: commas, spaces, the capital of a sentence.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import {
  capitalize,
  isCapitalized,
  isComma,
  isDash,
  isEllipsis,
  isTerminator,
  sentenceStart,
  startsSentence,
} from './punctuation.ts'
import type { TextToken } from './tokens.ts'
import { isSpoken, join, make } from './tokens.ts'

/** Token indices, `to` excluded. */
export type TokenRange = { from: number; to: number }

/** Returns the text without the spans, which must be ordered and not overlap. */
export function removeSpans(
  tokens: readonly TextToken[],
  spans: readonly TokenRange[],
  language: Language,
): string {
  const kept: TextToken[] = []
  let position = 0
  for (const { from, to } of joinNeighbours(tokens, spans)) {
    for (; position < from; position += 1) kept.push(tokens[position]!)
    position = closeGap(kept, tokens, { from, to }, language)
  }
  for (; position < tokens.length; position += 1) kept.push(tokens[position]!)
  return join(kept)
}

/** Merges adjacent spans: "Um, uh," is one gap. */
function joinNeighbours(tokens: readonly TextToken[], spans: readonly TokenRange[]): TokenRange[] {
  const joined: TokenRange[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last && tokens.slice(last.to, span.from).every((one) => one.kind === 'space' || isPause(one)))
      last.to = span.to
    else joined.push({ ...span })
  }
  return joined
}

const isPause = (token: TextToken | undefined): boolean =>
  isComma(token) || isDash(token) || isEllipsis(token)

/** Repairs the end of `kept` before a gap; returns the index of the first token to keep after it. */
function closeGap(
  kept: TextToken[],
  tokens: readonly TextToken[],
  gap: TokenRange,
  language: Language,
): number {
  const atStart = startsSentence(kept, kept.length)
  let next = gap.to
  if (isEllipsis(tokens[next])) next += 1
  const spaced = tokens[next]?.kind === 'space'
  const following = tokens[spaced ? next + 1 : next]
  if (atStart && isTerminator(following) && !leads(tokens, gap))
    return skipSpaces(tokens, next + (spaced ? 2 : 1))
  const pauseBehind = isPause(following)
  if (pauseBehind) next += spaced ? 2 : 1
  next = skipSpaces(tokens, next)
  if (atStart) return passCapital(kept, tokens, gap, next, language)
  return inside(kept, tokens, { next, pauseBehind }, language)
}

/** A filler directly after an opening bracket or ¿ is not a sentence of its own. */
const leads = (tokens: readonly TextToken[], gap: TokenRange): boolean =>
  gap.from > 0 && tokens[gap.from - 1]!.kind === 'mark' && /^[([¿¡]$/.test(tokens[gap.from - 1]!.text)

/** The first word of the sentence was removed, so the next one takes over its capital. */
function passCapital(
  kept: TextToken[],
  tokens: readonly TextToken[],
  gap: TokenRange,
  next: number,
  language: Language,
): number {
  const following = tokens[next]
  if (following?.kind !== 'word' || !isCapitalized(tokens[gap.from]!.text)) return next
  kept.push(make('word', capitalize(following.text, language.code)))
  return next + 1
}

function inside(
  kept: TextToken[],
  tokens: readonly TextToken[],
  { next, pauseBehind }: { next: number; pauseBehind: boolean },
  language: Language,
): number {
  trimSpaces(kept)
  const pause = isComma(kept.at(-1)) || isDash(kept.at(-1)) ? kept.pop()! : null
  if (pause) trimSpaces(kept)
  const following = tokens[next]
  const opens = following?.kind === 'mark' && /^[([¿¡"“«„]$/.test(following.text)
  const continues = opens || isSpoken(following)
  if (!continues) return next
  if (!language.spaced) {
    if (pause) kept.push(pause)
    if (needsSpace(kept.at(-1), following)) kept.push(make('space', ' '))
    return next
  }
  if (isRestarted(kept.at(-1), following, language)) {
    const rest = skipSpaces(tokens, next + 1)
    if (isSpoken(tokens[rest])) {
      kept.push(make('space', ' '))
      return rest
    }
  }
  if ((pause || pauseBehind) && needsComma(kept, tokens, next, language)) kept.push(make('mark', ','))
  kept.push(make('space', ' '))
  return next
}

/** "That, um, that we agree": after a hesitation even "that that" is a stutter, unlike long words and numbers. */
const isRestarted = (
  previous: TextToken | undefined,
  following: TextToken | undefined,
  language: Language,
): boolean =>
  following?.kind === 'word' &&
  previous?.key === following.key &&
  following.key.length <= 4 &&
  !language.isNumber(following.key) &&
  !matchAt([following], 0, language.openers)

/** Latin words and punctuation keep their spaces in a text without spaces. */
const needsSpace = (previous: TextToken | undefined, following: TextToken | undefined): boolean =>
  previous !== undefined && !isWide(previous) && !isWide(following)

const isWide = (token: TextToken | undefined): boolean =>
  token?.kind === 'ideograph' ||
  (token?.kind === 'mark' && /^[\u3000-\u303f\uff00-\uffef]$/u.test(token.text))

/** Whether the comma next to a filler belongs to its neighbours: "yes, um, that works", "we tried, um, but". */
function needsComma(
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  next: number,
  language: Language,
): boolean {
  if (matchAt(tokens, next, language.commaBefore) || restarts(kept, tokens[next])) return true
  // "Am 3., äh, nein" and "etc., um": without the comma, the full stop would end the sentence.
  if (kept.at(-1)?.text === '.') return true
  if (language.commaBetweenClauses && separatesClauses(kept, tokens, next, language)) return true
  const interjection = matchAt(tokens, next, language.openers)
  if (interjection && isComma(tokens[interjection.to])) return true
  const start = sentenceStart(kept, kept.length, 12)
  if (start === null) return false
  const opener = matchAt(kept, start, language.openers)
  // "Hello Anna, um, this is": a name may be between a greeting and its comma.
  const named = matchAt(kept, start, language.salutations) !== null ? 1 : 0
  if (opener && kept.slice(opener.to).filter(isSpoken).length <= named && !kept.slice(start).some(isPause))
    return true
  return endsList(kept, start, language)
}

/** "At eight, um, at nine": the speaker restarts with a recent word. */
function restarts(kept: readonly TextToken[], following: TextToken | undefined): boolean {
  if (following?.kind !== 'word') return false
  const words: TextToken[] = []
  for (let index = kept.length - 1; index >= 0 && words.length < 4; index -= 1) {
    if (kept[index]!.kind === 'mark' || kept[index]!.kind === 'newline') break
    if (isSpoken(kept[index])) words.push(kept[index]!)
  }
  return words.some(({ key }) => key === following.key)
}

/** "milk, eggs, um, bread": the words before the filler are a short item after a comma. */
function endsList(kept: readonly TextToken[], start: number, language: Language): boolean {
  const sentence = kept.slice(start)
  const comma = sentence.findLastIndex(isComma)
  const item = sentence.slice(comma + 1)
  const conjunction = matchAt(item, item.findIndex(isSpoken), language.conjunctions) !== null
  return comma !== -1 && item.filter(isSpoken).length <= 2 && !conjunction && !holdsClause(item, language)
}

/** A short clause with a subject or a verb ("well, I think", "which is") is not an item of a list. */
const holdsClause = (piece: readonly TextToken[], language: Language): boolean =>
  piece.some((_, index) => matchAt(piece, index, language.subjects) ?? matchAt(piece, index, language.verbs))

/**
 * "Ich glaube, äh, der Zug ist weg": a subject before the filler, and after it a verb that is neither the first nor the
 * last word; in "dass er, äh, am Montag gekommen ist" it is the last.
 */
function separatesClauses(
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  next: number,
  language: Language,
) {
  const piece = wordsFrom(kept, afterLastBreak(kept))
  const rest = wordsFrom(tokens, next)
  const isSubject = (word: TextToken | undefined) => word && matchAt([word], 0, language.subjects) !== null
  if (piece.length < 2 || !(isSubject(piece[0]) || isSubject(piece[1]))) return false
  if (!isSubject(piece[0]) && matchAt(piece, 0, language.commaBefore)) return false
  const verb = rest.findIndex((word) => matchAt([word], 0, language.verbs) !== null)
  return verb > 0 && verb < rest.length - 1 && !matchAt(rest, 0, language.conjunctions)
}

/** The index after the last punctuation or line break. */
function afterLastBreak(kept: readonly TextToken[]): number {
  let index = kept.length
  while (index > 0 && kept[index - 1]!.kind !== 'mark' && kept[index - 1]!.kind !== 'newline') index -= 1
  return index
}

/** The words from `from` to the next punctuation, at most twelve. */
function wordsFrom(tokens: readonly TextToken[], from: number): TextToken[] {
  const words: TextToken[] = []
  for (let index = from; index < tokens.length && words.length < 12; index += 1) {
    const token = tokens[index]!
    if (token.kind === 'mark' || token.kind === 'newline') break
    if (isSpoken(token)) words.push(token)
  }
  return words
}

function trimSpaces(kept: TextToken[]): void {
  while (kept.at(-1)?.kind === 'space') kept.pop()
}

function skipSpaces(tokens: readonly TextToken[], at: number): number {
  let index = at
  while (tokens[index]?.kind === 'space') index += 1
  return index
}
