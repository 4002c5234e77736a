// Adds and removes quotes and brackets around a text, and punctuation at its end.

import { endingOf, mapInner } from './lines.ts'

/** Keeps the outer white space outside. */
export const wrap = (text: string, [open, close]: readonly [string, string]): string =>
  mapInner(text, (inner) => open + inner + close)

const QUOTES: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
  ['「', '」'],
]

/** Removes the quotes around the whole text; if there are none, all double quotes inside. */
export const removeQuotes = (text: string): string =>
  mapInner(text, (inner) => {
    const pair = QUOTES.find(([open, close]) => isWrapped(inner, [open, close]))
    return pair ? inner.slice(pair[0].length, -pair[1].length) : inner.replace(/["“”„«»]/gu, '')
  })

const isWrapped = (inner: string, [open, close]: [string, string]): boolean =>
  inner.length > open.length + close.length && inner.startsWith(open) && inner.endsWith(close)

/** Removes the brackets and keeps their content. */
export const removeBrackets = (text: string): string => text.replace(/[()[\]{}（）［］【】]/gu, '')

/** Replaces other final punctuation; a closing quote or bracket stays last. */
export const endWith = (text: string, mark: string): string =>
  mapInner(text, (inner) => {
    const closing = endingOf(inner, /["”'’)\]»」]/u)
    return withoutFinalMark(inner.slice(0, inner.length - closing.length)) + mark + closing
  })

export const removeFinalMark = (text: string): string =>
  mapInner(text, (inner) => withoutFinalMark(inner) || inner)

const withoutFinalMark = (text: string): string =>
  text.slice(0, text.length - endingOf(text, /[.,;:!?…。！？]/u).length)

/** Chinese and Japanese sentences end with an ideographic full stop. */
export const endWithPeriod = (text: string): string => {
  const body = text.slice(0, text.length - endingOf(text, /["”'’)\]»」\s]/u).length)
  if (/[.!?…。！？]/u.test(body.slice(-1))) return text
  return endWith(text, /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u.test(body.slice(-1)) ? '。' : '.')
}

export const straightQuotes = (text: string): string => text.replace(/[“”„‟]/gu, '"').replace(/[‘’‚‛]/gu, "'")

/** English quotation marks. */
export const curlyQuotes = (text: string): string =>
  text
    .replace(/(?<=^|[\s([{—–-])"/gu, '“')
    .replaceAll('"', '”')
    .replace(/(?<=^|[\s([{—–“-])'/gu, '‘')
    .replaceAll("'", '’')
