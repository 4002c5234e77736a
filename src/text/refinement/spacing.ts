// Repairs spaces and punctuation after words were removed or joined, by the conventions of the script. Keeps intended
// forms: French spaces before punctuation, indentation, "!!!", dots, line breaks.

import type { Language } from './languages/languages.ts'
import { isComma, isEllipsis, isTerminator, NARROW_SPACE } from './punctuation.ts'
import type { RefinementStep } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

export const repairSpacing: RefinementStep = (tokens, { language, rules }) => {
  const kept: TextToken[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'space') pushSpace(kept, token, tokens[index + 1], tokens[index + 2], language)
    else if (token.kind === 'newline') {
      trimSpaces(kept)
      kept.push(token)
    } else if (token.kind === 'mark') pushMark(kept, token, tokens[index + 1], language)
    else pushSpoken(kept, token)
  }
  const text = join(kept).trim()
  // Keeps the trailing space of the style, so that it is not removed and added again.
  return rules.trailingSpace && text !== '' && tokens.at(-1)?.text === ' ' ? `${text} ` : text
}

function trimSpaces(kept: TextToken[]): void {
  while (kept.at(-1)?.kind === 'space') kept.pop()
}

const CLOSES = /^[,.;:!?)\]}，。！？；：、）」』】]$/u
const OPENS = /^[([{（「『【¿¡]$/u
const WIDE = /^[，。！？；：、（）「」『』【】…]$/u

const isWide = (token: TextToken | undefined): boolean =>
  token !== undefined && (token.kind === 'ideograph' || (token.kind === 'mark' && WIDE.test(token.text)))

function pushSpace(
  kept: TextToken[],
  space: TextToken,
  next: TextToken | undefined,
  afterNext: TextToken | undefined,
  language: Language,
): void {
  const previous = kept.at(-1)
  if (previous?.kind === 'space') return
  // Indentation.
  if (previous === undefined || previous.kind === 'newline') {
    if (previous) kept.push(space)
    return
  }
  if (previous.kind === 'mark' && OPENS.test(previous.text)) return
  if (isWide(previous) && isWide(next) && !space.text.includes('\u3000')) return
  if (next?.kind === 'mark' && WIDE.test(next.text)) return
  if (next?.kind === 'mark' && CLOSES.test(next.text) && !standsAlone(next, afterNext, language)) return
  // Other kinds of spaces are intended.
  kept.push(/^ +$|^\t+$/.test(space.text) ? make('space', ' ') : space)
}

/** Punctuation that keeps the space before it: in French, and at the start of an emoticon or a name (":)", ".5"). */
const standsAlone = (mark: TextToken, next: TextToken | undefined, language: Language): boolean =>
  (language.code === 'fr' && /^[?!;:]$/.test(mark.text)) ||
  (next !== undefined &&
    next.kind !== 'space' &&
    next.kind !== 'newline' &&
    !(mark.text === ',' && next.kind === 'word') &&
    !(mark.text !== ':' && next.kind === 'mark'))

function pushMark(
  kept: TextToken[],
  token: TextToken,
  next: TextToken | undefined,
  language: Language,
): void {
  const mark = widen(token, kept.at(-1), next, language)
  const previous = kept.at(-1)
  const last = previous?.kind === 'space' ? kept.at(-2) : previous
  if (
    isComma(mark) &&
    (last === undefined || last.kind === 'newline' || isComma(last) || isTerminatorSpaced(kept))
  )
    return
  if ((isTerminator(mark) || isEllipsis(mark)) && isComma(last)) {
    trimSpaces(kept)
    kept.pop()
  }
  // "?.": the first mark is enough.
  if (isStop(mark) && last !== undefined && isTerminator(last) && last.text !== mark.text) return
  if (isStop(mark) && previous?.kind === 'space' && isTerminator(last)) return
  if (language.code === 'fr' && isHigh(mark, kept.at(-1), next)) kept.push(make('space', NARROW_SPACE))
  kept.push(mark.text === '..' && isSpoken(last) && !isSpoken(next) ? make('mark', '.') : mark)
}

/** French punctuation that lacks the space before it; not in ":)" or "a;b". */
const isHigh = (mark: TextToken, previous: TextToken | undefined, next: TextToken | undefined): boolean =>
  /^[?!;:]$/.test(mark.text) &&
  (/^[)»”]$/.test(previous?.text ?? '') || isSpoken(previous)) &&
  (!next || next.kind === 'space' || next.kind === 'newline' || /^[?!][?!.…)»”]$/.test(mark.text + next.text))

const isStop = (token: TextToken) => token.text === '.' || token.text === '。'

/** A comma after a sentence and a space is a leftover; a comma directly after "etc." is not. */
const isTerminatorSpaced = (kept: readonly TextToken[]): boolean =>
  kept.at(-1)?.kind === 'space' && isTerminator(kept.at(-2))

const WIDENED: Record<string, string> = { ',': '，', '.': '。', '?': '？', '!': '！', ':': '：', ';': '；' }

/** Widens half-width punctuation between Chinese or Japanese characters. */
function widen(
  token: TextToken,
  previous: TextToken | undefined,
  next: TextToken | undefined,
  language: Language,
): TextToken {
  if (language.spaced || (language.code !== 'zh' && language.code !== 'ja')) return token
  const wide = WIDENED[token.text]
  if (!wide || previous?.kind !== 'ideograph') return token
  if (next !== undefined && next.kind !== 'ideograph' && next.kind !== 'space' && next.kind !== 'newline')
    return token
  return make('mark', language.code === 'ja' && wide === '，' ? '、' : wide)
}

/** "Hello,world": adds the space after punctuation between two words; tokens.ts recognises numbers and names. */
function pushSpoken(kept: TextToken[], token: TextToken): void {
  const [mark, previous] = [kept.at(-1), kept.at(-2)]
  const between = mark?.kind === 'mark' && /^[,;!?]$/.test(mark.text)
  if (between && previous?.kind === 'word' && token.kind === 'word') kept.push(make('space', ' '))
  kept.push(token)
}
