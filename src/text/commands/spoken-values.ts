// The values that are spoken in an instruction: words, names of signs, and what is in quotation marks.
// What a value is looked for in, and what is done then, is find-replace.ts.

import { findAll } from './find-replace.ts'
import { signOf } from './symbols.ts'
import { isQuoted, slotValue } from './utterance.ts'

/** What is meant by a name: itself where the text has it, else the sign that it is the name of. */
export function namedIn(text: string, spoken: string): string | null {
  const value = slotValue(spoken)
  if (findAll(text, value).length > 0) return value
  const sign = isQuoted(spoken) ? null : signOf(value)
  return sign !== null && text.includes(sign) ? sign : null
}

/** "all the maybes" when the text says "maybe". */
export function singularIn(text: string, what: string): string | null {
  const value = slotValue(what)
  const one = value.replace(/s$/u, '')
  return one !== value && one.length > 2 && findAll(text, one).length > 0 ? one : null
}

/** "replace with with without" is cut in every place where it can be. */
export function* readingsOfReplacement(from: string, to: string): Generator<[string, string]> {
  yield [from, to]
  const words = to.split(' ').slice(0, MAX_WORDS_READ_AGAIN)
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

/** Each reading searches the whole text. */
const MAX_WORDS_READ_AGAIN = 20

/** The name of a sign stands for the sign only where a sign is replaced; "nothing" is what is left then. */
export function replacementOf(spoken: string, forSign: boolean): string {
  const value = slotValue(spoken)
  if (isQuoted(spoken)) return value
  if (/^nothing$/iu.test(value)) return ''
  return (forSign ? signOf(value) : null) ?? value
}

/** What is put in: in quotation marks as it is, else the sign that is named, else the words. */
export function addedOf(spoken = ''): string {
  const value = slotValue(spoken)
  const bare = value.replace(/^the (?:word|words|text|phrase|sentence|line) /iu, '')
  if (isQuoted(bare)) return slotValue(bare)
  return isQuoted(spoken) ? value : (signOf(value) ?? bare)
}

/** "commas" is a sign, "and" and anything in quotation marks is itself. */
export function separatorOf(spoken = ''): string {
  const value = slotValue(spoken)
  const sign = isQuoted(spoken) ? null : signOf(value)
  return sign ?? value
}

/** With the space that belongs to it between two lines. */
export function spaced(separator: string): string {
  if (/^[,;]$/u.test(separator)) return `${separator} `
  return /^[\p{L}\p{N}|&+/-]+$/u.test(separator) ? ` ${separator} ` : separator
}

/** A sign that marks a line has a space behind it, a word too. */
export const withGap = (added: string): string => (/\s$/u.test(added) ? added : `${added} `)
