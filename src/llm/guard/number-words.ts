// Number words of several languages and their values.
// Omits "one" and its equivalents, which are also articles and pronouns. A number of several words counts as several numbers.

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
export const numberOfWord = (word: string): string | undefined => NUMBER_WORDS.get(foldWord(word))
