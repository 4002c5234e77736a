// Splits a text into searchable pieces in any language: words, and runs of characters in scripts without spaces.

import { to } from 'opencc-js/preset/t2cn'
import { fold } from './fold.ts'
import { UNSPACED_SCRIPTS } from './text-tokens.ts'

/** Format: `傳 传|傷 伤|…`. The last table of the chain has the single characters. */
const simplified = new Map(
  String(to.cn?.at(-1)?.at(-1))
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

const HAN = /\p{sc=Han}/gu

const foldHan = (text: string): string => text.replace(HAN, (one) => simplified.get(one) ?? one)

/** Increase it whenever folding or splitting changes: the next start then re-indexes all captures. */
export const SEARCH_VERSION = 3

export type ScriptRun = {
  text: string
  /** in a script without spaces: a word may begin and end anywhere in it */
  unspaced: boolean
  /** part of one compound with the piece before it: `e-mail`, `1,000`, `U.S.` */
  joined?: true
}

const UNSPACED = `[${UNSPACED_SCRIPTS}]`
const LETTER = '[\\p{L}\\p{N}\\p{M}]'

const PIECES = new RegExp(`[${LETTER}&&${UNSPACED}]+|[${LETTER}--${UNSPACED}]+`, 'gv')
const SIGNS = /[\p{S}\p{P}]/gv
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v')
const ASCII = /^[\p{ASCII}]*$/v

/** Folds beyond case and accents: also vowel points, and letters that many keyboards lack. */
export function foldForSearch(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const decomposed = fold(text).normalize('NFD').replace(LEFT_OUT, '').normalize('NFC')
  const plain = decomposed.replace(LETTERS, (letter) => PLAIN[letter]!).replace(HALF_NASAL, anusvaraOf)
  return foldHan(plain.replace(DIGIT, digitOf))
}

/** Hebrew and Arabic points with hamza and tatweel, the nukta of Indic scripts, and invisible characters. */
const LEFT_OUT =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u0c3c\u0cbc\u00ad\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]|\u200d/g
const PLAIN: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ς: 'σ' },
  // Arabic, Persian and Urdu: keyboards use different forms of alef, yeh, kaf, teh marbuta and heh.
  ...{ '\u0671': '\u0627', '\u0649': '\u064a', '\u06cc': '\u064a', '\u06a9': '\u0643' },
  ...{ '\u0629': '\u0647', '\u06c1': '\u0647', '\u06be': '\u0647', '\u06d5': '\u0647', '\u06c3': '\u0647' },
  '\u066b': '.',
  '\u066c': ',',
  // Devanagari: candrabindu and anusvara both mark a nasal vowel.
  '\u0901': '\u0902',
}
const LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** Devanagari, Gujarati, Oriya and Telugu: their letters have the same offsets within their Unicode blocks. */
const INDIC_BLOCKS = [0x900, 0xa80, 0xb00, 0xc00]
/** For each class of consonants, the offsets of its nasal and of its first and last other letter. */
const NASALS = [
  [0x19, 0x15, 0x18],
  [0x1e, 0x1a, 0x1d],
  [0x23, 0x1f, 0x22],
  [0x28, 0x24, 0x27],
  [0x2e, 0x2a, 0x2d],
] as const
const [ANUSVARA, VIRAMA] = [0x02, 0x4d]

/** A nasal without a vowel before a letter of its class, which can also be written as an anusvara: हिन्दी, हिंदी. */
const HALF_NASAL = new RegExp(
  INDIC_BLOCKS.flatMap((block) => {
    const letter = (offset: number) => String.fromCodePoint(block + offset)
    return NASALS.map(
      ([nasal, first, last]) => `${letter(nasal)}${letter(VIRAMA)}(?=[${letter(first)}-${letter(last)}])`,
    )
  }).join('|'),
  'g',
)
const anusvaraOf = (half: string): string => String.fromCodePoint((half.codePointAt(0)! & ~0x7f) + ANUSVARA)

const DIGIT = /[\p{Nd}--[0-9]]/gv
const IS_DIGIT = /^\p{Nd}$/u

/** In Unicode the ten digits of every script are consecutive. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && IS_DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** `folded` is a result of foldForSearch. Punctuation between the pieces is dropped. */
export function piecesOf(folded: string): ScriptRun[] {
  const pieces: ScriptRun[] = []
  let end = 0
  for (const { 0: text, index } of folded.matchAll(PIECES)) {
    const piece: ScriptRun = { text, unspaced: BEGINS_UNSPACED.test(text) }
    const between = folded.slice(end, index)
    end = index + text.length
    const ahead = folded.slice(end, end + MAX_NUMBER_LOOKAHEAD)
    if (pieces.length > 0 && isCompound(pieces.at(-1)!, between, piece, ahead)) piece.joined = true
    pieces.push(piece)
  }
  return pieces
}

/** Hyphens, and the zero-width non-joiner of Persian and Indic scripts. */
const HYPHEN = /^[-‐‑_\u200c]$/u
const APOSTROPHE = /^['’ʼ]$/u
/** Without its apostrophe, "we'll" would match "well". */
const CONTRACTED = new Set(['ll', 're', 've', 'd', 'm'])
const THOUSANDS = /^[,.'’ ]$/u

/** Indian numbers have groups of two digits before a last group of three: 1,00,000. */
const INDIAN_GROUPS_FOLLOW = /^(?:,\d\d)*,\d{3}(?!\d)/
/** Maximum lookahead within a number, in characters. */
const MAX_NUMBER_LOOKAHEAD = 40

function isCompound(before: ScriptRun, between: string, piece: ScriptRun, after: string): boolean {
  if (between.length !== 1 || before.unspaced || piece.unspaced) return false
  if (HYPHEN.test(between)) return true
  if (APOSTROPHE.test(between) && /^\D/.test(piece.text)) return !CONTRACTED.has(piece.text)
  if (THOUSANDS.test(between) && /^\d{3}$/.test(piece.text)) return /^\d{1,3}$/.test(before.text)
  if (between === ',' && /^\d\d$/.test(piece.text) && INDIAN_GROUPS_FOLLOW.test(after))
    return /^\d{1,2}$/.test(before.text)
  return between === '.' && isLetter(before.text) && isLetter(piece.text)
}

const isLetter = (text: string): boolean => /^\p{L}$/u.test(text)

/** Compounds written as one word; `at` is the index of their first piece. */
export function* compoundsIn(pieces: readonly ScriptRun[]): Generator<{ at: number; text: string }> {
  for (let at = 0; at < pieces.length; at += 1) {
    let end = at + 1
    while (pieces[end]?.joined) end += 1
    if (end > at + 1) yield { at, text: joinedText(pieces.slice(at, end)) }
    at = end - 1
  }
}

export const joinedText = (pieces: readonly ScriptRun[]): string => pieces.map(({ text }) => text).join('')

/** The distinct punctuation characters, currency signs and emoji of a text. */
export const signsOf = (folded: string): string[] => [...new Set(folded.match(SIGNS) ?? [])]

/** A regular expression for `pieces` in this order, with only punctuation and spaces between them. */
export function patternOf(pieces: readonly ScriptRun[], { isPrefix }: { isPrefix: boolean }): RegExp {
  return new RegExp(patternText(pieces, { isPrefix }), 'gv')
}

/** `isPrefix`: the last word may continue. */
export function patternText(pieces: readonly ScriptRun[], { isPrefix }: { isPrefix: boolean }): string {
  const [first, last] = [pieces[0], pieces.at(-1)]
  const before = first && !first.unspaced ? WORD_BEGINS : ''
  const after = last && !last.unspaced && !isPrefix ? WORD_ENDS : ''
  const between = `[^\\p{L}\\p{N}\\p{M}]*`
  return before + pieces.map(lettersOf).join(between) + after
}

/** A word in the text may have punctuation of a compound that the search word lacks. */
function lettersOf({ text, unspaced }: ScriptRun): string {
  if (unspaced) return text
  return [...text].join(/^\d+$/.test(text) ? "[,.'’ ]?" : "[\\-‐‑_\\u200c'’ʼ.]?")
}

const SPACED_LETTER = `[${LETTER}--${UNSPACED}]`
export const WORD_BEGINS = `(?<!${SPACED_LETTER})`
export const WORD_ENDS = `(?!${SPACED_LETTER})`

export type FoldedText = {
  folded: string
  /** for each offset in the folded text, and its end, the offset in the original */
  at: number[]
}

/** Folds code point by code point; if that gives a wrong result, as with decomposed accents, by grapheme cluster. */
export function foldWithPositions(text: string): FoldedText {
  const byCodePoint = foldPieces(text)
  if (byCodePoint.folded === foldForSearch(text)) return byCodePoint
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)
  return foldPieces([...graphemes].map(({ segment }) => segment))
}

function foldPieces(pieces: Iterable<string>): FoldedText {
  const known = new Map<string, string>()
  const at: number[] = []
  let folded = ''
  let offset = 0
  for (const piece of pieces) {
    const plain = known.get(piece) ?? foldForSearch(piece)
    known.set(piece, plain)
    for (let index = 0; index < plain.length; index++) at.push(offset)
    folded += plain
    offset += piece.length
  }
  at.push(offset)
  return { folded, at }
}
