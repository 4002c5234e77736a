// The values in an instruction: numbers, ordinals, names of symbols, quoted text and words.

import { ENGLISH_NUMBERS as NUMBERS, toOrdinal } from '../numbers/languages/en.ts'
import { findAll } from './find-replace.ts'

const ORDINALS = NUMBERS.slice(0, 13).map(toOrdinal)
const TIMES = ['once', 'twice', 'thrice']

/** Longer words come first, since the pattern takes the first that matches. */
export const NUMBER_PATTERN = `\\d{1,5}|${NUMBERS.toReversed().join('|')}|(?:a )?couple of`
export const TIMES_PATTERN = `${TIMES.join('|')}|(?:${NUMBER_PATTERN}) times`
export const ORDINAL_PATTERN = `${ORDINALS.slice(1).join('|')}|\\d{1,5}(?:st|nd|rd|th)|last|final|second to last|penultimate`

export function numberOf(spoken = 'one'): number {
  const word = spoken.toLowerCase()
  if (word.endsWith('couple of')) return 2
  const index = NUMBERS.indexOf(word)
  return index === -1 ? Number(word) : index
}

export function timesOf(spoken = 'once'): number {
  const index = TIMES.indexOf(spoken.toLowerCase())
  return index === -1 ? numberOf(spoken.replace(/ times$/iu, '')) : index + 1
}

/** 1 is the first, -1 the last. */
export function ordinalOf(spoken: string): number {
  const word = spoken.toLowerCase()
  if (word === 'last' || word === 'final') return -1
  if (word === 'second to last' || word === 'penultimate') return -2
  const index = ORDINALS.indexOf(word)
  return index === -1 ? Number.parseInt(word, 10) : index
}

const SYMBOL_NAMES: Record<string, string> = {
  ',': 'comma',
  '.': 'period, full stop, dot',
  '?': 'question mark',
  '!': 'exclamation mark, exclamation point',
  ':': 'colon',
  ';': 'semicolon, semi-colon',
  '-': 'dash, hyphen, minus, minus sign',
  '—': 'em dash',
  '/': 'slash, forward slash',
  '\\': 'backslash',
  _: 'underscore',
  '*': 'asterisk, star',
  '#': 'hash, hash sign, pound sign',
  '@': 'at sign',
  '&': 'ampersand',
  '%': 'percent sign',
  $: 'dollar sign',
  '€': 'euro sign',
  '+': 'plus sign',
  '=': 'equals sign',
  '|': 'pipe, vertical bar',
  "'": 'apostrophe, single quote',
  '"': 'quotation mark, double quote, quote mark',
  '`': 'backtick',
  '…': 'ellipsis',
  ' ': 'space',
  '\t': 'tab',
  '\n': 'line break, newline, new line',
}

const SYMBOLS = new Map(
  Object.entries(SYMBOL_NAMES).flatMap(([symbol, names]) => names.split(', ').map((name) => [name, symbol])),
)

/** The symbol with this name, in singular or plural; null if there is none. */
function symbolNamed(name: string): string | null {
  const word = name.toLowerCase().replace(/^(?:a|an|the) /u, '')
  return (
    SYMBOLS.get(word) ??
    SYMBOLS.get(word.replace(/e?s$/u, '')) ??
    SYMBOLS.get(word.replace(/s$/u, '')) ??
    null
  )
}

const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«\s?([^»]*?)\s?»|'([^']*)'|`([^`]*)`)$/u

/** The value of a slot: quoted text as it is, other text without outer punctuation. */
export function slotValue(spoken: string): string {
  const trimmed = spoken.trim()
  const quoted = QUOTED.exec(trimmed)
  if (quoted) return quoted.slice(1).find((inner) => inner !== undefined) ?? ''
  return trimmed.replace(/^[,;:]\s*/u, '').replace(/[,;]$/u, '')
}

/** Whether the value of a slot is quoted, and so literal. */
export const isQuoted = (spoken: string): boolean => QUOTED.test(spoken.trim())

/** Returns the spoken words if the text has them, else the symbol with that name. */
export function namedIn(text: string, spoken: string): string | null {
  const value = slotValue(spoken)
  if (findAll(text, value).length > 0) return value
  const symbol = isQuoted(spoken) ? null : symbolNamed(value)
  return symbol !== null && text.includes(symbol) ? symbol : null
}

/** A limit, since each reading searches the whole text. */
const MAX_REREAD_WORDS = 20

/** Splits "replace with with without" at every possible place. */
export function* readingsOfReplacement(from: string, to: string): Generator<[string, string]> {
  yield [from, to]
  const words = to.split(' ')
  for (const [index, word] of words.slice(0, MAX_REREAD_WORDS).entries())
    if (/^(?:with|by|to|for)$/iu.test(word))
      yield [[from, word, ...words.slice(0, index)].join(' '), words.slice(index + 1).join(' ')]
}

/** The name of a symbol means the symbol only if a symbol is replaced; "nothing" means the empty text. */
export function replacementOf(spoken: string, forSymbol: boolean): string {
  const value = slotValue(spoken)
  if (isQuoted(spoken)) return value
  if (/^nothing$/iu.test(value)) return ''
  return (forSymbol ? symbolNamed(value) : null) ?? value
}

/** The text to insert: quoted text as it is, else the named symbol, else the words. */
export function addedOf(spoken = ''): string {
  const value = slotValue(spoken)
  if (isQuoted(spoken)) return value
  const bare = value.replace(/^the (?:word|words|text|phrase|sentence|line) /iu, '')
  return isQuoted(bare) ? slotValue(bare) : (symbolNamed(value) ?? bare)
}
