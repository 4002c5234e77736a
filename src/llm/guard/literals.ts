// Parts of a text that must be kept character by character: addresses, identifiers, quotations, and numbers in order.

import { foldWord } from '../../text/numbers/number-language.ts'
import { plainNumberWords } from '../../text/numbers/number-words.ts'

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']

/** Russian has no entry in text/numbers. */
const RUSSIAN: Record<string, string> = {
  2: 'два две',
  3: 'три',
  4: 'четыре',
  5: 'пять',
  6: 'шесть',
  7: 'семь',
  8: 'восемь',
  9: 'девять',
  10: 'десять',
  20: 'двадцать',
  30: 'тридцать',
  40: 'сорок',
  50: 'пятьдесят',
  60: 'шестьдесят',
  70: 'семьдесят',
  80: 'восемьдесят',
  90: 'девяносто',
  100: 'сто',
  1000: 'тысяча',
}

/** Omits "second", which is also a unit of time. */
const ORDINALS: Record<string, string> = {
  '1st':
    'first erste ersten erster erstes premier première primero primera primo prima primeiro primeira eerste',
  '2nd': 'zweite zweiten zweiter zweites deuxième segundo segunda secondo seconda tweede',
  '3rd': 'third dritte dritten dritter drittes troisième tercero tercera terzo terza terceiro terceira derde',
  '4th': 'fourth vierte vierten vierter viertes quatrième cuarto cuarta quarto quarta vierde',
  '5th': 'fifth fünfte fünften fünfter fünftes cinquième quinto quinta vijfde',
}

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ...LANGUAGES.flatMap((code) => [...plainNumberWords(code)]).map(
    ([word, value]) => [word, `${value}`] as const,
  ),
  ...Object.entries({ ...RUSSIAN, ...ORDINALS }).flatMap(([number, words]) =>
    words.split(' ').map((word) => [foldWord(word), number] as const),
  ),
])

/** In digits; undefined if the word is not a number. */
const numberOfWord = (word: string): string | undefined => NUMBER_WORDS.get(foldWord(word))

const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>"'“”«»]+|\bwww\.[^\s<>"'“”«»]+|[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/giu

/** A host or file name such as `example.com/path` or `notes.txt`, but not the border between two sentences. */
const DOTTED =
  /(?<![\p{L}\p{N}@/.])(?=[\p{N}.]*\p{L})[\p{L}\p{N}_-]+(?:\.[\p{Ll}\p{N}_-]+)+(?:\/[^\s<>"'“”«»]*)?/gu

const IDENTIFIER = new RegExp(
  [
    '`[^`\\n]+`',
    // snake_case, --flags, @handles, #tags, /paths/of/files, calls()
    '[\\p{L}\\p{N}]*_[\\p{L}\\p{N}_]+',
    '(?<![\\p{L}\\p{N}-])--?[a-z][\\p{L}\\p{N}-]*',
    '(?<![\\p{L}\\p{N}])[@#][\\p{L}\\p{N}_-]+',
    '(?<![\\p{L}\\p{N}.:/])(?:~|\\.{1,2})?(?:\\/[\\p{L}\\p{N}._-]+){2,}',
    '\\b[A-Za-z]:\\\\[^\\s"]+',
    '[\\p{L}_][\\p{L}\\p{N}_.]*\\(\\)',
    // camelCase, PascalCase of more than one part, and letters mixed with digits
    '(?<![\\p{L}\\p{N}])\\p{Ll}+\\p{Lu}[\\p{L}\\p{N}]*',
    '(?<![\\p{L}\\p{N}])\\p{Lu}\\p{Ll}+\\p{Lu}[\\p{L}\\p{N}]*',
    '(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]*\\p{N})(?=[\\p{L}\\p{N}]*[A-Za-z])[\\p{L}\\p{N}]+',
    // NASA, HTTP: abbreviations and other words in all caps
    '(?<![\\p{L}\\p{N}])\\p{Lu}{2,}(?![\\p{L}\\p{N}])',
  ].join('|'),
  'gu',
)

const QUOTATION = /"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|「([^」\n]+)」|『([^』\n]+)』/gu

/** Punctuation after an address, not part of it. */
const TRAILING_SIGNS = /[.,;:!?)\]}。，、！？]+$/u

const matchesOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([match]) => match.replace(TRAILING_SIGNS, '')).filter((one) => one !== '')

export const addressLiterals = (text: string): string[] => [
  ...matchesOf(text, ADDRESS),
  ...matchesOf(text, DOTTED),
]

export const identifiersIn = (text: string): string[] =>
  [...text.matchAll(IDENTIFIER)].map(([match]) => match.replace(/[.]+$/, ''))

/** The texts between quotation marks of any kind. */
export const quotationsIn = (text: string): string[] =>
  [...text.matchAll(QUOTATION)].map((match) =>
    match
      .slice(1)
      .find((one) => one !== undefined)!
      .trim(),
  )

/** Whether the text contains each part at least as often as the list does. */
export function holdsAll(text: string, parts: readonly string[]): boolean {
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts].every(([part, count]) => text.split(part).length > count)
}

const NUMBER = /\p{Nd}+(?:[.,:/'’\u2010-\u2015-]\p{Nd}+)*/gu
const WORD = /[\p{L}\p{M}]+/gu

/**
 * The numbers of a text in order, in digits or words. "1,000" and "1000" count as different, and so do "1.5" and "1,5":
 * their meaning depends on the language, which may be unknown.
 */
export function numbersIn(text: string): string[] {
  const found: { at: number; number: string }[] = []
  for (const match of text.matchAll(NUMBER))
    found.push({ at: match.index, number: westernDigits(match[0]).replace(/[\u2010-\u2015]/g, '-') })
  for (const match of text.matchAll(WORD)) {
    const number = numberOfWord(match[0])
    if (number !== undefined) found.push({ at: match.index, number })
  }
  return found.sort((a, b) => a.at - b.at).map(({ number }) => number)
}

/** Unicode has each script's ten digits in a row, so a digit's value is the number of digits before it. */
const westernDigits = (number: string): string =>
  number.replace(/\p{Nd}/gu, (digit) => {
    let worth = 0
    for (
      let code = digit.codePointAt(0)! - 1;
      worth < 9 && /\p{Nd}/u.test(String.fromCodePoint(code));
      code--
    )
      worth++
    return String(worth)
  })
