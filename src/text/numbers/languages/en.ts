import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const DIGITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const SMALL_ORDINALS = [
  'zeroth',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
]
const MONTHS = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/

const irregular: Record<string, string> = { five: 'fifth', eight: 'eighth', nine: 'ninth', twelve: 'twelfth' }
export const toOrdinal = (word: string): string =>
  SMALL_ORDINALS[DIGITS.indexOf(word)] ?? irregular[word] ?? `${word.replace(/y$/, 'ie')}th`

const ordinals: Record<string, Atom> = {}
SMALL_ORDINALS.forEach((word, value) => {
  if (value > 0) ordinals[word] = { kind: 'digit', value, ordinal: true }
})
TEENS.forEach((word, at) => {
  ordinals[toOrdinal(word)] = { kind: 'exact', value: 10 + at, ordinal: true }
})
TENS.forEach((word, at) => {
  ordinals[toOrdinal(word)] = { kind: 'exact', value: 20 + 10 * at, ordinal: true }
})

/** From zero to twenty. */
export const ENGLISH_NUMBERS = [...DIGITS, ...TEENS, TENS[0]!]

function suffix(value: number): string {
  const [tens, unit] = [value % 100, value % 10]
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][unit] ?? 'th'
}

export const englishNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: DIGITS.map((word) => [word]),
    exact: Object.fromEntries(TEENS.map((word, at) => [10 + at, [word]])),
    tens: {
      ...Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, [word]])),
      40: ['forty', 'fourty'],
    },
    hundred: { words: ['hundred'], alone: false },
    scales: [
      { value: 1e3, words: ['thousand'] },
      { value: 1e6, words: ['million'] },
      { value: 1e9, words: ['billion'] },
      { value: 1e12, words: ['trillion'] },
      { value: 1e15, words: ['quadrillion'] },
    ],
    and: ['and'],
    point: ['point'],
    more: { ...ordinals, a: { kind: 'article' }, oh: { kind: 'inner-zero' } },
  }),
  tensAnd: () => false,
  oneIsArticle: false,
  yearsInPairs: true,
  decimalSeparator: '.',
  minus: { words: ['minus', 'negative'], onlyBefore: null },
  percent: { pattern: afterNumber('percent|per cent'), sign: '%' },
  units: afterNumber(
    'seconds?|minutes?|hours?|milliseconds?|kilomet(?:er|re)s?|met(?:er|re)s?|centimet(?:er|re)s?|millimet(?:er|re)s?|miles?|feet|inch(?:es)?|yards?|kilograms?|kilos?|grams?|milligrams?|tons?|tonnes?|pounds?|ounces?|lit(?:er|re)s?|millilit(?:er|re)s?|gallons?|degrees?|dollars?|cents?|euros?|pence|kilobytes?|megabytes?|gigabytes?|terabytes?|bytes?|bits?|pixels?|volts?|watts?|hertz|megahertz|gigahertz|km|cm|mm|kg|mg|ml|gb|mb|kb|tb|mph',
  ),
  unitsOfOne: /^[ -](?:a\.?m\b|p\.?m\b|o['’]clock\b)/iu,
  clock: /^ ?(?:a\.?m\b|p\.?m\b|o['’]clock\b)/iu,
  beforeTimes: new Set(['at', 'by', 'until', 'till']),
  decades: new Map(TENS.map((word, at) => [word.replace(/y$/, 'ies'), 20 + 10 * at])),
  labels: new Set(
    'page,pages,chapter,section,version,step,room,figure,question,exercise,platform,gate,paragraph'.split(
      ',',
    ),
  ),
  ranges: new Set(['to', 'or', 'minus', 'plus', 'times', 'by', 'versus']),
  between: new Set(['between', 'from', 'both']),
  ordinal: {
    write(value, { before, after, last }) {
      const isDate = MONTHS.test(before) || MONTHS.test(after)
      // "a twenty second delay" has no ordinal.
      const isPlain = last !== 'second' || isDate || before === 'the' || after === 'of' || after === 'century'
      return isPlain && (value >= 10 || isDate) ? `${value}${suffix(value)}` : null
    },
  },
}
