// Splits a text into words, punctuation, spaces, line breaks and protected runs. Joining all tokens restores the text.

import { findQuotations } from './quotations.ts'

/** Every pattern is anchored and runs in linear time; `\w` would miss accented letters. */
const TECHNICAL: readonly RegExp[] = [
  // URLs, with or without a scheme, and e-mail addresses.
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+$/i,
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  // Paths: from the root, the home, the current or parent folder, or a drive; with several slashes; or with a file name.
  /^(?:~|\.{1,2})?\/[^\s/]\S*$/u,
  /^[a-z]:[\\/]\S*$/i,
  /^\\\\\S+$/,
  /^[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)+\.[a-z0-9]{1,8}$/iu,
  /^[\p{L}\p{N}_.@-]+\/[\p{L}\p{N}_.@-]+\/\S*$/u,
  // Command-line options.
  /^-{1,2}\p{L}[\p{L}\p{N}-]*(?:=\S*)?$/u,
  // Versions, and numbers with a letter: v1.2.3, 10.0.0-rc.1, h264, 2x.
  /^v?\d+(?:\.\d+)*[-+.]?[a-z][\w.+-]*$/i,
  /^v\d+(?:\.\d+)*$/i,
  // camelCase and PascalCase, snake_case, names with digits in them.
  /^[\p{L}\p{N}$_@#.]*\p{Ll}[\p{L}\p{N}$_]*\p{Lu}[\p{L}\p{N}$_.-]*(?:\(\S*\))?$/u,
  /^[\p{L}\p{N}$.-]*_[\p{L}\p{N}$_.-]*(?:\(\S*\))?$/u,
  /^(?=\P{N}*\p{N})(?=[\p{N}_-]*\p{L})[\p{L}\p{N}_-]+$/u,
  // Calls, scopes, arrows, members, domains and files: run(), std::vector, a->b, package.json, .gitignore, e.g.
  /^[\p{L}\p{N}_.$-]+\(\S*\)$/u,
  /^[\p{L}\p{N}_$]+(?:::|->|=>)\S+$/u,
  /^\.?[\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)+$/u,
  /^\.[\p{L}][\p{L}\p{N}_-]*$/u,
  // Mentions, hashtags, variables, and words that end in symbols, such as C++ and F#.
  /^[@#$%][\p{L}_{][\p{L}\p{N}_{}.-]*$/u,
  /^\p{L}{1,12}(?:\+\+|#)$/u,
]

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u
/** eBay's, iPhone-Nutzer, GitHub’s */
const MIXED_CASE_JOINED = /^[\p{L}\p{M}]+(?:['’‑-][\p{L}\p{M}]+)+$/u
const MIXED_CASE = /\p{Ll}\p{M}*\p{Lu}/u

/** In characters. A longer run can only be a URL. */
const LONGEST = 300

/** Whether no rule may change a run of characters without spaces. */
function isTechnical(run: string): boolean {
  if (LETTERS_ONLY.test(run)) return MIXED_CASE.test(run)
  if (run.length <= LONGEST && MIXED_CASE_JOINED.test(run) && MIXED_CASE.test(run)) return true
  if (run.length > LONGEST) return TECHNICAL[0]!.test(run)
  return TECHNICAL.some((pattern) => pattern.test(run))
}

export type TextToken = {
  /**
   * `ideograph` is one character of a script without spaces (Han, Kana); `kept` is protected text: code, addresses,
   * quotations; `mark` is one punctuation mark, or a run of full stops.
   */
  kind: 'word' | 'ideograph' | 'number' | 'kept' | 'mark' | 'space' | 'newline'
  text: string
  /** the token for comparison: words are lowercase with straight apostrophes */
  key: string
}

const IDEOGRAPH = '[[\\p{L}\\p{Nl}]&&[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]]'

/** Punctuation that always ends a run: full-width punctuation, dashes between words, and the ellipsis character. */
const WIDE_MARK = '[[[\\u3000-\\u303f\\uff00-\\uffef]&&\\p{P}][\\u2013-\\u2015\\u2026]]'

const CHUNKS = /(\r\n|[\n\r\u2028\u2029])|([^\S\n\r\u2028\u2029]+)|\S+/gu

const PLAIN = /^([A-Z]?[a-z]+|[A-Z]+)([,.!?;:]?)$/

/** A superset of the separators of pieces; a chunk without them is one run. */
const NOT_ONE_RUN = /[\u2013-\u2015\u2026\u2e80-\uffff]|\.\.\./

const PIECES = new RegExp(`(${IDEOGRAPH})|(${WIDE_MARK})|[\\S--${IDEOGRAPH}--${WIDE_MARK}]+`, 'gv')

const DOTS = /(\.{3,})/

const OPENING = /^[([{<"'«“„‘‚¿¡‹*]+/u

const NUMBER = /^[+-]?[$€£¥]?\d+(?:[.,:/'’-]\d+)*[%°€£¥$]?$/u

const PARTS =
  /(?<number>\d+(?:[.,:/]\d+)*%?)|(?<word>[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’‑-][\p{L}\p{M}\p{N}]+)*['’]?)|\.+|…+|[\s\S]/gu

const CLOSING = new Set('.,;:!?)]}>"\'»”“’…›*')

export function tokenizeText(text: string): TextToken[] {
  const tokens: TextToken[] = []
  let position = 0
  for (const { from, to } of findQuotations(text)) {
    pushUnquoted(tokens, text.slice(position, from))
    push(tokens, 'kept', text.slice(from, to))
    position = to
  }
  pushUnquoted(tokens, text.slice(position))
  return tokens
}

export const join = (tokens: readonly TextToken[]): string => tokens.map((token) => token.text).join('')

/** Creates a token and derives its key. Tokens are immutable, so common ones are shared. */
export function make(kind: TextToken['kind'], text: string): TextToken {
  if (text.length === 1 && (kind === 'space' || kind === 'mark')) {
    const shared = SHARED.get(text)
    if (shared?.kind === kind) return shared
  }
  return { kind, text, key: kind === 'word' ? keyOf(text) : text }
}

const SHARED: ReadonlyMap<string, TextToken> = new Map([
  [' ', { kind: 'space', text: ' ', key: ' ' }],
  ...[...',.?!:;，。、'].map((mark): [string, TextToken] => [mark, { kind: 'mark', text: mark, key: mark }]),
])

/** Whether a token is content: anything but punctuation, spaces and line breaks. */
export const isSpoken = (token: TextToken | undefined): token is TextToken =>
  token !== undefined && token.kind !== 'mark' && token.kind !== 'space' && token.kind !== 'newline'

const keyOf = (word: string): string => word.toLowerCase().replaceAll('’', "'")

const push = (tokens: TextToken[], kind: TextToken['kind'], text: string) => tokens.push(make(kind, text))

function pushUnquoted(tokens: TextToken[], text: string): void {
  for (const [piece, newline, space] of text.matchAll(CHUNKS)) {
    if (newline !== undefined) push(tokens, 'newline', piece)
    else if (space !== undefined) push(tokens, 'space', piece)
    else if (!pushPlain(tokens, piece)) pushChunk(tokens, piece)
  }
}

/** A fast path: most chunks are a plain word with at most one punctuation mark. */
function pushPlain(tokens: TextToken[], chunk: string): boolean {
  const plain = PLAIN.exec(chunk)
  if (plain === null) return false
  push(tokens, 'word', plain[1]!)
  if (plain[2] !== '') push(tokens, 'mark', plain[2]!)
  return true
}

/** A chunk between spaces; in scripts without spaces, a whole sentence. */
function pushChunk(tokens: TextToken[], chunk: string): void {
  if (!NOT_ONE_RUN.test(chunk)) {
    pushRun(tokens, chunk)
    return
  }
  for (const [piece, ideograph, mark] of chunk.matchAll(PIECES)) {
    if (ideograph !== undefined) push(tokens, 'ideograph', piece)
    else if (mark !== undefined) push(tokens, 'mark', piece)
    else if (piece.includes('...') && !piece.includes('://'))
      for (const part of piece.split(DOTS)) pushRun(tokens, part)
    else pushRun(tokens, piece)
  }
}

function pushRun(tokens: TextToken[], run: string): void {
  const from = OPENING.exec(run)?.[0].length ?? 0
  const to = endOf(run, from)
  const core = run.slice(from, to)
  const isNumber = core.length < 100 && NUMBER.test(core)
  if (core === '' || !(isNumber || isTechnical(core))) {
    pushParts(tokens, run)
    return
  }
  pushParts(tokens, run.slice(0, from))
  push(tokens, isNumber ? 'number' : 'kept', core)
  pushParts(tokens, run.slice(to))
}

/** The end of a run without trailing punctuation; includes a closing bracket that was opened inside: `run()`. */
function endOf(run: string, from: number): number {
  let to = run.length
  while (to > from && CLOSING.has(run[to - 1]!)) {
    const last = run[to - 1]!
    if (last === ')' && run.slice(Math.max(from, to - 200), to - 1).includes('(')) break
    to -= 1
  }
  return to
}

function pushParts(tokens: TextToken[], text: string): void {
  for (const { groups, 0: part } of text.matchAll(PARTS))
    push(tokens, groups!.number !== undefined ? 'number' : groups!.word !== undefined ? 'word' : 'mark', part)
}
