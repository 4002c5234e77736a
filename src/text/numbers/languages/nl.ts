import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const DIGITS = ['nul', 'één', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven', 'acht', 'negen']
const TEENS = [
  'tien',
  'elf',
  'twaalf',
  'dertien',
  'veertien',
  'vijftien',
  'zestien',
  'zeventien',
  'achttien',
  'negentien',
]
const TENS = ['twintig', 'dertig', 'veertig', 'vijftig', 'zestig', 'zeventig', 'tachtig', 'negentig']
const SMALL_ORDINALS = [
  'eerste',
  'tweede',
  'derde',
  'vierde',
  'vijfde',
  'zesde',
  'zevende',
  'achtste',
  'negende',
]
const MONTHS = /^(?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)$/

const ordinals: Record<string, Atom> = {}
SMALL_ORDINALS.forEach((word, at) => {
  ordinals[word] = { kind: 'digit', value: at + 1, ordinal: true }
})
TEENS.forEach((word, at) => {
  ordinals[`${word}de`] = { kind: 'exact', value: 10 + at, ordinal: true }
})
TENS.forEach((word, at) => {
  ordinals[`${word}ste`] = { kind: 'tens', value: 20 + 10 * at, from: 1, to: 0, ordinal: true }
})

export const dutchNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['nul'], ['één', 'een'], ...DIGITS.slice(2).map((word) => [word])],
    exact: Object.fromEntries(TEENS.map((word, at) => [10 + at, [word]])),
    tens: Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, [word]])),
    hundred: { words: ['honderd'], alone: true },
    scales: [
      { value: 1e3, words: ['duizend'], alone: true },
      { value: 1e6, words: ['miljoen'] },
      { value: 1e9, words: ['miljard'] },
      { value: 1e12, words: ['biljoen'] },
      { value: 1e15, words: ['biljard'] },
    ],
    and: ['en'],
    point: ['komma'],
    more: ordinals,
  }),
  compounds: true,
  order: 'units-first',
  minus: { words: ['min', 'minus'], onlyBefore: null },
  percent: { pattern: afterNumber('procent'), sign: '%' },
  units: afterNumber(
    'seconden?|seconde|minuut|minuten|uur|uren|milliseconden?|kilometers?|meters?|centimeters?|millimeters?|mijl|kilogram|kilo|gram|milligram|ton|pond|liters?|milliliters?|graden|graad|dollar|euro|cent|kilobytes?|megabytes?|gigabytes?|terabytes?|bytes?|bits?|pixels?|volt|watt|hertz|km|cm|mm|kg|mg|ml|gb|mb|kb|tb',
  ),
  labels: new Set('pagina,bladzijde,hoofdstuk,versie,stap,kamer,vraag,opgave,spoor,figuur,alinea'.split(',')),
  ranges: new Set(['tot', 'of', 'min', 'plus', 'keer', 'à', 'tot en met']),
  between: new Set(['tussen']),
  ordinal: {
    write: (value, { after }) => (value >= 10 || MONTHS.test(after) ? `${value}e` : null),
  },
}
