// Resolves the values in an instruction: words, names of symbols, and quoted text.

import { findAll } from './find-replace.ts'
import { symbolNamed } from './symbols.ts'
import { isQuoted, slotValue } from './utterance.ts'

/** Returns the spoken words if the text has them, else the symbol with that name. */
export function namedIn(text: string, spoken: string): string | null {
  const value = slotValue(spoken)
  if (findAll(text, value).length > 0) return value
  const symbol = isQuoted(spoken) ? null : symbolNamed(value)
  return symbol !== null && text.includes(symbol) ? symbol : null
}

/** Finds "maybe" for "all the maybes". */
export function singularIn(text: string, what: string): string | null {
  const value = slotValue(what)
  const one = value.replace(/s$/u, '')
  return one !== value && one.length > 2 && findAll(text, one).length > 0 ? one : null
}

/** Splits "replace with with without" at every possible place. */
export function* readingsOfReplacement(from: string, to: string): Generator<[string, string]> {
  yield [from, to]
  const words = to.split(' ').slice(0, MAX_REREAD_WORDS)
  for (const [index, word] of words.entries()) {
    if (!/^(?:with|by|to|for)$/iu.test(word)) continue
    yield [
      [from, word, ...words.slice(0, index)].join(' '),
      to
        .split(' ')
        .slice(index + 1)
        .join(' '),
    ]
  }
}

/** A limit, since each reading searches the whole text. */
const MAX_REREAD_WORDS = 20

/** The name of a symbol means the symbol only if a symbol is replaced; "nothing" then means the empty text. */
export function replacementOf(spoken: string, forSign: boolean): string {
  const value = slotValue(spoken)
  if (isQuoted(spoken)) return value
  if (/^nothing$/iu.test(value)) return ''
  return (forSign ? symbolNamed(value) : null) ?? value
}

/** The text to insert: quoted text as it is, else the named symbol, else the words. */
export function addedOf(spoken = ''): string {
  const value = slotValue(spoken)
  const bare = value.replace(/^the (?:word|words|text|phrase|sentence|line) /iu, '')
  if (isQuoted(bare)) return slotValue(bare)
  return isQuoted(spoken) ? value : (symbolNamed(value) ?? bare)
}

/** "commas" means the symbol; "and" and quoted text mean themselves. */
export function separatorOf(spoken = ''): string {
  const value = slotValue(spoken)
  const symbol = isQuoted(spoken) ? null : symbolNamed(value)
  return symbol ?? value
}

/** Adds the space that the separator needs between two items. */
export function spaced(separator: string): string {
  if (/^[,;]$/u.test(separator)) return `${separator} `
  return /^[\p{L}\p{N}|&+/-]+$/u.test(separator) ? ` ${separator} ` : separator
}

/** A prefix of a line is followed by a space. */
export const withGap = (added: string): string => (/\s$/u.test(added) ? added : `${added} `)
