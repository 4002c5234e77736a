// Cleans a text by rules: spaces, punctuation, filler words, emoji, accents.

import { capitalizeSentences } from './letter-case.ts'
import { mapEachLine, mapInner } from './lines.ts'
import { endWithPeriod } from './wrapping.ts'

type Language = string | null

/** Collapses runs of spaces; keeps the indent of a line. */
export const collapseSpaces = (text: string): string =>
  mapEachLine(text, (line) => line.replace(/(?<=\S)[^\S\r\n]+/gu, ' ').trimEnd())

/** One space after punctuation and none before it, except in numbers, addresses and French. */
export function fixSpacing(text: string, language: Language = null): string {
  const spaced = collapseSpaces(text)
  const before = language?.startsWith('fr')
    ? /(?<=\S) +(?=,(?:\s|\p{L}|$)|\.(?:\s|$))/gmu
    : /(?<=\S) +(?=[,;!?](?:\s|\p{L}|$)|[.:](?:\s|$))/gmu
  return spaced
    .replace(before, '')
    .replace(/(?<=\p{L}),(?=\p{L})/gu, ', ')
    .replace(/(?<=\p{Ll}[!?;])(?=\p{Lu}[\p{Ll}\s])/gu, ' ')
    .replace(/(?<=[([{]) +(?=\S)/gu, '')
    .replace(/(?<=\S) +(?=[)\]}])/gu, '')
}

/** Repairs spacing, doubled punctuation, initial capitals and the final full stop. */
export function fixPunctuation(text: string, language: Language = null): string {
  const single = fixSpacing(text, language)
    .replace(/,{2,}/gu, ',')
    .replace(/;{2,}/gu, ';')
    .replace(/(?<!\.)\.{2}(?!\.)/gu, '.')
    .replace(/,(?=[.!?])/gu, '')
  return mapInner(capitalizeSentences(single, language), (inner) =>
    /[\p{L}\p{N}"”'’)\]»」]$/u.test(inner) ? endWithPeriod(inner) : inner,
  )
}

/** Keeps punctuation inside a word (don't, well-known, 3.5, a@b.c), and %, &, @ and #, which carry meaning. */
export const removePunctuation = (text: string): string =>
  mapEachLine(text, (line) => {
    const bare = line.replace(/(?:(?![%&@#])\p{P})+/gu, (marks: string, at: number) => {
      const [before, after] = [line.charAt(at - 1), line.charAt(at + marks.length)]
      if (!/[\p{L}\p{N}\p{M}]/u.test(before) || !/[\p{L}\p{N}]/u.test(after)) return ''
      if (/^['’_./-]$/u.test(marks) || (/^[,:]$/u.test(marks) && /\d/u.test(before))) return marks
      return UNSPACED.test(before) ? '' : ' '
    })
    return bare === line ? line : collapseSpaces(bare)
  })

const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u

export const removeEmoji = (text: string): string =>
  text
    .replace(
      / ?(?:\p{Regional_Indicator}{2}|(?![\d#*])\p{Emoji}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?(?:\u200d\p{Emoji}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)*)/gu,
      (found) => (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(found) ? '' : found),
    )
    .replace(/^ +(?=\S)/u, '')

/** Keeps letters that do not decompose: ø, ł, ß. */
export const removeAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1')
    .normalize('NFC')

export const removeNumbers = (text: string): string => collapseSpaces(text.replace(/\d+(?:[.,:]\d+)*/gu, ''))
