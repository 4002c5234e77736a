// Words that are numbers in whatever language, and what they are worth.
// "One" and its kin are left out: they are articles and pronouns too. Numbers of several words are several numbers here.

import { foldWord } from '../../text/numbers/number-language.ts'
import { plainNumberWords } from '../../text/numbers/number-words.ts'

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt']

/** Of a language whose numbers are neither read nor written here. */
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

/** Without "second", which is a time as well. */
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

/** In digits; undefined where the word is no number. */
export const numberOfWord = (word: string): string | undefined => NUMBER_WORDS.get(foldWord(word))
