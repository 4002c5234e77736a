// Writes spoken punctuation ("comma", "new paragraph", "Fragezeichen") as punctuation, unless it may be ordinary words.

import type { CompiledMark, Language } from './languages/languages.ts'
import { endsWith, matchAt } from './phrases.ts'
import {
  after,
  before,
  capitalize,
  isComma,
  isDash,
  isEllipsis,
  isTerminator,
  NARROW_SPACE,
  sentenceStart,
} from './punctuation.ts'
import { optionAfterProgram } from './spoken-options.ts'
import type { RefinementStep, StepContext } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

/** Maximum length of a spoken pair of brackets or quotation marks, in tokens. */
const LONGEST_PAIR = 120

export const writeSpokenPunctuation: RefinementStep = (tokens, context) => {
  const kept: TextToken[] = []
  /** the closing marks of opened pairs, by token index */
  const closings = new Map<number, { to: number; write: string }>()
  /** index in `kept` of the last spoken mark: automatic commas are removed, spoken ones stay */
  let spokenAt = -1
  let index = 0
  while (index < tokens.length) {
    const closing = closings.get(index)
    const match = closing ? null : matchAt(tokens, index, context.language.marks)
    const mark = { ...context, spokenAt, at: index }
    if (closing) {
      dropPause(kept, spokenAt)
      kept.push(make('mark', closing.write))
      index = closing.to
    } else if (match && !isOption(kept, tokens, index, context) && isMark(match, kept, tokens, mark)) {
      const pair = match.value.closedBy && findClosing(tokens, match.to, match.value.closedBy)
      if (pair) closings.set(pair.from, pair)
      index = writeMark(kept, tokens, match, { ...context, spokenAt })
      const last = before(kept, kept.length)
      spokenAt = kept[last]?.kind === 'mark' ? last : -1
    } else {
      // If the whole name is not a mark here ("con punto y coma"), its parts are not marks either.
      const to = match?.to ?? index + 1
      for (; index < to; index += 1) kept.push(tokens[index]!)
    }
  }
  return join(kept)
}

const isOption = (
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  at: number,
  { language, flags }: StepContext,
): boolean => flags.preserveTechnical && optionAfterProgram(kept, tokens, at, language) !== null

type MarkMatch = { to: number; value: CompiledMark }

/** Whether the name of a mark means the mark. */
function isMark(
  { to, value }: MarkMatch,
  kept: readonly TextToken[],
  tokens: readonly TextToken[],
  { language, rules, spokenAt, at }: StepContext & { spokenAt: number; at: number },
): boolean {
  const [left, right] = [before(kept, kept.length), after(tokens, to)]
  if (endsWith(kept, left + 1, language.determiners) || endsWith(kept, left + 1, value.notAfter)) return false
  if (isDescribed(kept, left, value, language) || matchAt(tokens, right, value.notBefore)) return false
  // "Drei Komma fünf" is a number, and "Punkt 5" an item of a list.
  if (value.decimal && isNumber(tokens[right], language))
    if (value.write === '.' || isNumber(kept[left], language)) return false
  if (value.write.startsWith('\n')) return true
  if (value.closedBy) return findClosing(tokens, to, value.closedBy) !== null
  if (value.noun && to === at + 1 && isInside(tokens, to, kept[left], { language, rules })) return false
  const previous = kept[left]
  if (previous === undefined || previous.kind === 'newline') return false
  // "Are you coming? Question mark." names the existing mark; "…. Period." may be emphasis.
  if (isTerminator(previous) && spokenAt !== left)
    return value.alone === true && (isTerminator(tokens[right]) || tokens[right] === undefined)
  return true
}

/**
 * "At this point we stop.": no pause next to the word, and the sentence ends without a spoken mark. A speaker who says
 * "point" at the end of one sentence also says it at the end of the next.
 */
function isInside(
  tokens: readonly TextToken[],
  to: number,
  previous: TextToken | undefined,
  { language, rules }: Pick<StepContext, 'language' | 'rules'>,
): boolean {
  if (!isSpoken(previous) || !isSpoken(tokens[after(tokens, to)])) return false
  let named = -1
  for (let index = to; index < Math.min(tokens.length, to + LONGEST_PAIR); index += 1) {
    const token = tokens[index]!
    if (token.kind === 'newline') return false
    if (isTerminator(token)) return named !== before(tokens, index)
    const match = isSpoken(token) ? matchAt(tokens, index, language.marks) : null
    if (match?.value.write.startsWith('\n')) return false
    if (match && /^[.!?]/.test(match.value.write)) named = match.to - 1
  }
  // The style removes the final full stop, so the result must be the same with and without it.
  const ending = rules.trailingPeriod === 'strip' && tokens.length - to <= LONGEST_PAIR
  return ending && named !== before(tokens, tokens.length)
}

/** "A short period", "the six month period": an adjective, and a determiner or a number at most two words before it. */
function isDescribed(
  kept: readonly TextToken[],
  left: number,
  value: CompiledMark,
  language: Language,
): boolean {
  if (language.described?.test(join(kept.slice(Math.max(0, left - 4), left + 1)))) return true
  if (!endsWith(kept, left + 1, value.adjectives)) return false
  const first = before(kept, left)
  return [first, before(kept, Math.max(first, 0))].some(
    (at) => at >= 0 && (isNumber(kept[at], language) || endsWith(kept, at + 1, language.determiners)),
  )
}

const isNumber = (token: TextToken | undefined, language: Language): boolean =>
  token?.kind === 'number' || (token?.kind === 'word' && language.isNumber(token.key))

function findClosing(
  tokens: readonly TextToken[],
  from: number,
  closedBy: NonNullable<CompiledMark['closedBy']>,
) {
  for (let index = from; index < Math.min(tokens.length, from + LONGEST_PAIR); index += 1) {
    if (tokens[index]!.kind === 'newline') return null
    const match = matchAt(tokens, index, closedBy.say)
    if (match)
      return tokens.slice(from, index).some(isSpoken)
        ? { from: index, to: match.to, write: closedBy.write }
        : null
  }
  return null
}

function writeMark(
  kept: TextToken[],
  tokens: readonly TextToken[],
  { value, to }: MarkMatch,
  context: StepContext & { spokenAt: number },
): number {
  const next = skipAutomatic(tokens, to)
  if (value.write.startsWith('\n')) return writeBreak(kept, tokens, value.write, next, context)
  if (value.closedBy) return writeOpening(kept, tokens, value, next, context)
  dropPause(kept, context.spokenAt)
  if (isTerminator(kept.at(-1)) && kept.length - 1 !== context.spokenAt) kept.pop()
  if (context.language.code === 'fr' && /^[?!;:]$/.test(value.write)) kept.push(make('space', NARROW_SPACE))
  const [mark, ...lines] = value.write.split(/(?=\n)/)
  kept.push(make('mark', mark!))
  // "Punto y aparte" is a full stop and a new paragraph.
  if (lines.length > 0) return writeBreak(kept, tokens, lines.join(''), next, context)
  return addSpace(kept, tokens, next, context.language, !value.write.endsWith('-'))
}

/** Skips the punctuation that the engine added after the name of the mark. */
function skipAutomatic(tokens: readonly TextToken[], from: number): number {
  const at = after(tokens, from)
  return isComma(tokens[at]) || (isTerminator(tokens[at]) && at === from) ? at + 1 : from
}

/** Removes a comma, dash or ellipsis that the engine added before the name; a spoken one stays. */
function dropPause(kept: TextToken[], spokenAt: number): void {
  while (kept.at(-1)?.kind === 'space') kept.pop()
  if (kept.length - 1 === spokenAt) return
  if (isComma(kept.at(-1)) || isDash(kept.at(-1)) || isEllipsis(kept.at(-1))) kept.pop()
}

function writeBreak(
  kept: TextToken[],
  tokens: readonly TextToken[],
  write: string,
  next: number,
  { language, rules, spokenAt }: StepContext & { spokenAt: number },
): number {
  while (kept.at(-1)?.kind === 'space') kept.pop()
  if (!isSalutation(kept, language)) dropPause(kept, spokenAt)
  const comma = isComma(kept.at(-1))
  kept.push(make('newline', write))
  const at = after(tokens, next)
  const token = tokens[at]
  if (
    token?.kind !== 'word' ||
    rules.capitalize !== 'sentence' ||
    (comma && language.lowercaseAfterSalutation)
  )
    return at
  if (matchAt(tokens, at, language.marks)) return at
  kept.push(make('word', capitalize(token.text, language.code)))
  return at + 1
}

/** "Dear Anna," */
function isSalutation(kept: readonly TextToken[], language: Language): boolean {
  const start = sentenceStart(kept, kept.length, 6)
  return start !== null && matchAt(kept, start, language.salutations) !== null
}

function writeOpening(
  kept: TextToken[],
  tokens: readonly TextToken[],
  value: CompiledMark,
  next: number,
  { language, spokenAt }: StepContext & { spokenAt: number },
): number {
  if (/^[([（]/.test(value.write)) dropPause(kept, spokenAt)
  while (kept.at(-1)?.kind === 'space') kept.pop()
  if (language.spaced && kept.length > 0 && kept.at(-1)!.kind !== 'newline') kept.push(make('space', ' '))
  kept.push(make('mark', value.write))
  return after(tokens, next)
}

function addSpace(
  kept: TextToken[],
  tokens: readonly TextToken[],
  next: number,
  language: Language,
  wanted: boolean,
) {
  const at = after(tokens, next)
  if (language.spaced && wanted && isSpoken(tokens[at])) kept.push(make('space', ' '))
  return at
}
