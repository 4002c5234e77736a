// French number words, with septante, huitante, octante and nonante.

import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'

const BELOW_SEVENTEEN = [
  'zéro',
  'un',
  'deux',
  'trois',
  'quatre',
  'cinq',
  'six',
  'sept',
  'huit',
  'neuf',
  'dix',
  'onze',
  'douze',
  'treize',
  'quatorze',
  'quinze',
  'seize',
]
const TENS = ['vingt', 'trente', 'quarante', 'cinquante', 'soixante']
const MONTHS = /^(?:janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)$/

const ordinals: Record<string, Atom> = {
  premier: { kind: 'digit', value: 1, ordinal: true },
  vingtième: { kind: 'tens', value: 20, from: 1, to: 0, ordinal: true },
}
for (const [at, word] of BELOW_SEVENTEEN.entries()) {
  if (at === 0) continue
  const ordinal = `${word.replace(/e$/, '').replace('cinq', 'cinqu').replace('neuf', 'neuv')}ième`
  ordinals[ordinal] = { kind: at < 10 ? 'digit' : 'exact', value: at, ordinal: true }
}
for (const [at, word] of TENS.entries())
  ordinals[`${word.replace(/e$/, '')}ième`] = {
    kind: 'tens',
    value: 20 + 10 * at,
    from: 1,
    to: 0,
    ordinal: true,
  }

export const frenchNumbers: WordLanguage = {
  ...NUMBER_DEFAULTS,
  words: atoms({
    digits: [['zéro'], ['un', 'une'], ...BELOW_SEVENTEEN.slice(2, 10).map((word) => [word])],
    exact: Object.fromEntries(BELOW_SEVENTEEN.slice(11).map((word, at) => [11 + at, [word]])),
    tens: Object.fromEntries(TENS.map((word, at) => [20 + 10 * at, [word]])),
    hundred: { words: ['cent', 'cents'], alone: true },
    scales: [
      { value: 1e3, words: ['mille'], alone: true },
      { value: 1e6, words: ['million', 'millions'] },
      { value: 1e9, words: ['milliard', 'milliards'] },
      { value: 1e12, words: ['billion', 'billions'] },
      { value: 1e15, words: ['billiard', 'billiards'] },
    ],
    and: ['et'],
    point: ['virgule'],
    more: {
      dix: { kind: 'tens', value: 10, from: 7, to: 9 },
      vingts: { kind: 'tens', value: 20, from: 1, to: 0 },
      soixante: { kind: 'tens', value: 60, from: 1, to: 19 },
      septante: { kind: 'tens', value: 70, from: 1, to: 9 },
      huitante: { kind: 'tens', value: 80, from: 1, to: 9 },
      octante: { kind: 'tens', value: 80, from: 1, to: 9 },
      nonante: { kind: 'tens', value: 90, from: 1, to: 9 },
      ...ordinals,
    },
  }),
  tensAnd: (small) => small === 1 || small === 11,
  fourTwenties: true,
  minus: { words: ['moins'], onlyBefore: afterNumber('degrés?') },
  percent: { pattern: afterNumber('pour cent|pourcents?'), sign: ' %' },
  units: afterNumber(
    'secondes?|minutes?|heures?|millisecondes?|kilomètres?|mètres?|centimètres?|millimètres?|kilogrammes?|kilos?|grammes?|milligrammes?|tonnes?|litres?|millilitres?|degrés?|dollars?|euros?|centimes?|francs?|kilo-?octets?|méga-?octets?|giga-?octets?|octets?|bits?|pixels?|volts?|watts?|hertz|km|cm|mm|kg|mg|ml|go|mo|ko|to',
  ),
  labels: new Set(
    'page,chapitre,section,version,étape,chambre,salle,question,exercice,quai,figure,paragraphe'
      .split(',')
      .flatMap((word) => [word, word.replace('é', 'e')]),
  ),
  ranges: new Set(['à', 'ou', 'moins', 'plus', 'fois']),
  between: new Set(['entre']),
  ordinal: {
    write(value, { before, after }) {
      if (value === 1) return MONTHS.test(after) ? '1er' : null
      return value >= 10 && before !== 'un' && before !== 'une' ? `${value}e` : null
    },
  },
}
