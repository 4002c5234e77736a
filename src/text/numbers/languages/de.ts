import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const DIGITS = ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun']
const TEENS = [
  'zehn',
  'elf',
  'zwölf',
  'dreizehn',
  'vierzehn',
  'fünfzehn',
  'sechzehn',
  'siebzehn',
  'achtzehn',
  'neunzehn',
]
const TENS = ['zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig']
const ORDINAL_STEMS = ['erst', 'zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt']
const ONES = ['eins', 'eine', 'einer', 'einem', 'einen']
const WITH_ORDINAL =
  /^(?:januar|janner|februar|feber|marz|april|mai|juni|juli|august|september|oktober|november|dezember|jahrhunderts?)$/

/** Spelling without umlauts and ß: fuenf, dreissig. */
const withoutUmlauts = (word: string): string =>
  word.replaceAll('ü', 'ue').replaceAll('ö', 'oe').replaceAll('ß', 'ss')

const spellings = (word: string): string[] => [word, withoutUmlauts(word)]

const ordinals: Record<string, Atom> = {}
for (const ending of ['e', 'er', 'en', 'em', 'es']) {
  ORDINAL_STEMS.forEach((stem, at) => {
    ordinals[stem + ending] = { kind: 'digit', value: at + 1, ordinal: true }
  })
  TEENS.forEach((word, at) => {
    ordinals[`${word}t${ending}`] = { kind: 'exact', value: 10 + at, ordinal: true }
  })
  TENS.forEach((word, at) => {
    ordinals[`${word}st${ending}`] = { kind: 'tens', value: 20 + 10 * at, from: 1, to: 0, ordinal: true }
  })
}

export const germanNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['null'], ['ein'], ['zwei', 'zwo'], ...DIGITS.slice(3).map(spellings)],
    exact: Object.fromEntries(TEENS.map((word, at) => [10 + at, spellings(word)])),
    tens: Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, spellings(word)])),
    hundred: { words: ['hundert'], alone: true },
    scales: [
      { value: 1e3, words: ['tausend'], alone: true },
      { value: 1e6, words: ['Million', 'Millionen'] },
      { value: 1e9, words: ['Milliarde', 'Milliarden'] },
      { value: 1e12, words: ['Billion', 'Billionen'] },
      { value: 1e15, words: ['Billiarde', 'Billiarden'] },
    ],
    and: ['und'],
    point: ['Komma'],
    more: Object.fromEntries([
      ...ONES.map((word) => [word, { kind: 'digit', value: 1, whole: true }]),
      ...Object.entries(ordinals).flatMap(([word, atom]) =>
        spellings(word).map((spelling) => [spelling, atom]),
      ),
    ]),
  }),
  compounds: true,
  order: 'units-first',
  minus: { words: ['minus'], onlyBefore: null },
  percent: { pattern: afterNumber('prozent'), sign: ' %' },
  units: afterNumber(
    'sekunden?|minuten?|stunden?|millisekunden?|uhr|kilometern?|metern?|zentimetern?|millimetern?|kilometer|meter|zentimeter|millimeter|meilen?|kilogramm|kilo|gramm|milligramm|tonnen?|pfund|litern?|liter|milliliter|grad|dollar|euro|cent|franken|kilobyte|megabyte|gigabyte|terabyte|bytes?|bits?|pixel|volt|watt|hertz|km|cm|mm|kg|mg|ml|gb|mb|kb|tb',
  ),
  unitsOfOne: afterNumber('uhr'),
  labels: new Set(
    'seite,kapitel,abschnitt,version,schritt,zimmer,raum,frage,aufgabe,gleis,abbildung,absatz'.split(','),
  ),
  ranges: new Set(['bis', 'oder', 'minus', 'plus', 'mal']),
  between: new Set(['zwischen']),
  ordinal: {
    write: (value, { after }) => (WITH_ORDINAL.test(after) ? `${value}.` : null),
  },
}
