// Cuts text into words, marks, spaces, line breaks and stretches that are kept letter for letter.
// Joining all tokens gives the text back; what is kept is told by technical.ts and quotations.ts.

import { findQuotations } from './quotations.ts'
import { isTechnical } from './technical.ts'

export type Token = {
  /**
   * `ideograph` is one character of a script without spaces (Han, Kana); `kept` is never changed inside: code,
   * addresses, quotations; `mark` is one punctuation mark, or a run of equal full stops.
   */
  kind: 'word' | 'ideograph' | 'number' | 'kept' | 'mark' | 'space' | 'newline'
  text: string
  /** what the token is compared by: words in lower case with straight apostrophes */
  key: string
}

const IDEOGRAPH = '[[\\p{L}\\p{Nl}]&&[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]]'

const WIDE_MARK = '[[\\u3000-\\u303f\\uff00-\\uffef]&&\\p{P}]'

const PIECES = new RegExp(
  `(?<newline>\\r\\n|[\\n\\r\\u2028\\u2029])|(?<space>[\\s--[\\n\\r\\u2028\\u2029]]+)|(?<ideograph>${IDEOGRAPH})|` +
    `(?<mark>${WIDE_MARK})|` +
    `(?<stretch>[\\S--${IDEOGRAPH}--${WIDE_MARK}]+)`,
  'gv',
)

const OPENING = /^[([{<"'«“„‘‚¿¡‹*]+/u

const NUMBER = /^[+-]?[$€£¥]?\d+(?:[.,:/'’-]\d+)*[%°€£¥$]?$/u

const PARTS =
  /(?<number>\d+(?:[.,:/]\d+)*%?)|(?<word>[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’‑-][\p{L}\p{M}\p{N}]+)*['’]?)|\.+|…+|[\s\S]/gu

const CLOSING = new Set('.,;:!?)]}>"\'»”“’…›*')

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  for (const { from, to } of findQuotations(text)) {
    pushUnquoted(tokens, text.slice(position, from))
    push(tokens, 'kept', text.slice(from, to))
    position = to
  }
  pushUnquoted(tokens, text.slice(position))
  return tokens
}

export const join = (tokens: readonly Token[]): string => tokens.map((token) => token.text).join('')

/** A token made by a rule; its key is derived from the text. */
export const make = (kind: Token['kind'], text: string): Token => ({ kind, text, key: keyOf(kind, text) })

/** What is spoken and stands for something: everything but marks, spaces and line breaks. */
export const isSpoken = (token: Token | undefined): token is Token =>
  token !== undefined && token.kind !== 'mark' && token.kind !== 'space' && token.kind !== 'newline'

const keyOf = (kind: Token['kind'], text: string): string =>
  kind === 'word' ? text.toLowerCase().replaceAll('’', "'") : text

const push = (tokens: Token[], kind: Token['kind'], text: string) => tokens.push(make(kind, text))

function pushUnquoted(tokens: Token[], text: string): void {
  for (const { groups, 0: piece } of text.matchAll(PIECES)) {
    if (groups!.stretch === undefined) {
      const kind = (['newline', 'space', 'ideograph', 'mark'] as const).find(
        (one) => groups![one] !== undefined,
      )
      push(tokens, kind!, piece)
    } else pushStretch(tokens, piece)
  }
}

function pushStretch(tokens: Token[], stretch: string): void {
  const from = OPENING.exec(stretch)?.[0].length ?? 0
  const to = endOf(stretch, from)
  const core = stretch.slice(from, to)
  const isNumber = core.length < 100 && NUMBER.test(core)
  if (core === '' || !(isNumber || isTechnical(core))) {
    pushParts(tokens, stretch)
    return
  }
  pushParts(tokens, stretch.slice(0, from))
  push(tokens, isNumber ? 'number' : 'kept', core)
  pushParts(tokens, stretch.slice(to))
}

/** Where a stretch ends without the marks behind it; a closing bracket stays if it was opened inside: `run()`. */
function endOf(stretch: string, from: number): number {
  let to = stretch.length
  while (to > from && CLOSING.has(stretch[to - 1]!)) {
    const last = stretch[to - 1]!
    if (last === ')' && stretch.slice(Math.max(from, to - 200), to - 1).includes('(')) break
    to -= 1
  }
  return to
}

function pushParts(tokens: Token[], text: string): void {
  for (const { groups, 0: part } of text.matchAll(PARTS))
    push(tokens, groups!.number !== undefined ? 'number' : groups!.word !== undefined ? 'word' : 'mark', part)
}
