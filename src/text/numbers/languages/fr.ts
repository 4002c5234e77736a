// French number words, with septante, huitante, octante and nonante.

import { type Atom, afterNumber, atoms, NUMBER_DEFAULTS, type WordLanguage } from '../number-language.ts'
import { spellInGroups } from '../spell.ts'

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

function below100(value: number): string {
  if (value <= 16) return BELOW_SEVENTEEN[value]!
  if (value < 20) return `dix-${BELOW_SEVENTEEN[value - 10]}`
  if (value === 80) return 'quatre-vingts'
  if (value > 80) return `quatre-vingt-${below100(value - 80)}`
  const tens = TENS[Math.min(4, Math.floor(value / 10) - 2)]!
  const rest = value - 20 - 10 * TENS.indexOf(tens)
  if (rest === 0) return tens
  return rest === 1 || rest === 11 ? `${tens} et ${below100(rest)}` : `${tens}-${below100(rest)}`
}

/** `deux cents`, but `deux cent mille`: no plural before a scale. */
function below1000(value: number, isCounted: boolean): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100]
  const last = rest === 0 ? '' : below100(rest)
  if (hundreds === 0) return last
  const hundred = hundreds === 1 ? 'cent' : `${BELOW_SEVENTEEN[hundreds]} cent`
  if (rest === 0) return hundreds > 1 && !isCounted ? `${hundred}s` : hundred
  return `${hundred} ${last}`
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
  groupSeparator: ' ',
  minus: { words: ['moins'], onlyBefore: afterNumber('degrés?') },
  percent: { pattern: afterNumber('pour cent|pourcents?'), sign: ' %', word: 'pour cent' },
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
  spell: (value) =>
    spellInGroups(value, {
      zero: 'zéro',
      group: (group, countedIn) => below1000(group, countedIn === 1e3),
      scales: [
        { value: 1e15, one: 'un billiard', many: 'billiards' },
        { value: 1e12, one: 'un billion', many: 'billions' },
        { value: 1e9, one: 'un milliard', many: 'milliards' },
        { value: 1e6, one: 'un million', many: 'millions' },
        { value: 1e3, one: 'mille', many: 'mille' },
      ],
    }),
  minusWord: 'moins',
  pointWord: 'virgule',
}
