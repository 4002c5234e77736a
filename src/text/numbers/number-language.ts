// The types of the number data in languages/, and helpers to build it.

/** The role of one number word in a number. An `ordinal` ends the number. */
export type Atom =
  /** `whole`: never the first part of a longer number: eins, eine */
  (
    | { kind: 'digit'; value: number; whole?: true }
    /** 10 to 29, if they have their own words */
    | { kind: 'exact'; value: number }
    /** may be followed by a number between `from` and `to` */
    | { kind: 'tens'; value: number; from: number; to: number }
    /** multiplies the number before it; `alone`: means 100 without one */
    | { kind: 'hundred'; alone: boolean }
    /** `doscientos` */
    | { kind: 'hundreds'; value: number }
    /** 1000 and more; `alone`: means that number without a multiplier */
    | { kind: 'scale'; value: number; alone: boolean }
    | { kind: 'and' }
    | { kind: 'point' }
    /** the article in `a hundred` */
    | { kind: 'article' }
    /** `oh`: a zero, only between other digits */
    | { kind: 'inner-zero' }
  ) & { ordinal?: true }

/** A language with number words in an alphabet. All words are folded: lowercase, without accents. */
export type WordLanguage = {
  script: 'letters'
  words: ReadonlyMap<string, Atom>
  /** number words are written as one word: fünfundzwanzig, ventitré */
  compounds: boolean
  /** `units-first`: five-and-twenty, as one word or three */
  order: 'tens-first' | 'units-first'
  /** which numbers may follow the tens after "and": treinta "y" cinco, soixante "et" onze */
  tensAnd: (small: number) => boolean
  /** `two thousand and five hundred` is one number */
  hundredsAfterAnd: boolean
  /** quatre-vingts */
  fourTwenties: boolean
  /** the word for one is also the article: eine Million stays in words */
  oneIsArticle: boolean
  /** `nineteen ninety nine` is a year */
  yearsInPairs: boolean
  decimalSeparator: '.' | ','
  /** words for minus; `onlyBefore`: only before degrees, if the word also means "less" */
  minus: { words: readonly string[]; onlyBefore: RegExp | null }
  /** the words for percent, and the sign to write for them */
  percent: { pattern: RegExp; sign: '%' | ' %' }
  /** units that make a small number a measurement; matched against the text after it */
  units: RegExp
  /** the units before which even the word for one is a number and not an article */
  unitsOfOne: RegExp
  /** am and pm: two numbers before them are a time */
  clock: RegExp | null
  /** words before two numbers that make them a time: at five thirty */
  beforeTimes: ReadonlySet<string>
  /**
   * Hours and minutes joined by "and": a las siete y veinte. `before` and `after` are matched against the text around
   * them; a noun after the minutes would be counted by them. Null if the language has no such form.
   */
  timesWithAnd: { before: RegExp; and: string; after: RegExp } | null
  /** twenties to nineties, by their words, after a century */
  decades: ReadonlyMap<string, number>
  /** words before a small number that make it a label: page, version */
  labels: ReadonlySet<string>
  /** the words between the two ends of a range */
  ranges: ReadonlySet<string>
  /** words after which "and" separates two numbers */
  between: ReadonlySet<string>
  ordinal: {
    /** the ordinal in digits, or null if it stays a word */
    write: (value: number, context: OrdinalContext) => string | null
  } | null
}

/** The values of most languages; a language names those that differ. */
export const NUMBER_DEFAULTS = {
  script: 'letters',
  compounds: false,
  order: 'tens-first',
  tensAnd: () => true,
  hundredsAfterAnd: false,
  fourTwenties: false,
  oneIsArticle: true,
  yearsInPairs: false,
  decimalSeparator: ',',
  unitsOfOne: /^(?!)/,
  clock: null,
  beforeTimes: new Set<string>(),
  timesWithAnd: null,
  decades: new Map<string, number>(),
  ordinal: null,
} as const satisfies Partial<WordLanguage>

/** The words around an ordinal, folded; empty at the ends of the text. */
export type OrdinalContext = { before: string; after: string; last: string }

/** Chinese and Japanese: digits and positions are single characters, without spaces. */
export type HanLanguage = {
  script: 'han'
  /** 三百五 is 350 (Chinese) and not 305 (Japanese) */
  shortened: boolean
  /** a number may begin with 百 or 千 */
  bareHundreds: boolean
  /** words that contain a numeral but are not a number */
  idioms: readonly string[]
  /** units that make a single character a measurement; matched against the text after it */
  units: RegExp
  /** the units before which even 一 is a number */
  unitsOfOne: RegExp
  /** the words for percent before or after the number */
  percent: { before: RegExp | null; after: RegExp | null }
  minus: RegExp
}

export type NumberLanguage = WordLanguage | HanLanguage

/** Larger numbers are not converted. */
export const LARGEST_NUMBER = 1e15

/** Lowercase without accents, as all words in the data files. */
export function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

/** Builds the atoms of a language from short lists, one line per kind. */
export function atoms(lists: {
  digits: string[][]
  exact: Record<number, string[]>
  tens: Record<number, string[]>
  hundred: { words: string[]; alone: boolean }
  hundreds?: Record<number, string[]>
  scales: { value: number; words: string[]; alone?: boolean }[]
  and: string[]
  point: string[]
  more?: Record<string, Atom>
}): Map<string, Atom> {
  const found = new Map<string, Atom>()
  const add = (words: string[], atom: Atom) => {
    for (const word of words) found.set(foldWord(word), atom)
  }
  lists.digits.forEach((words, value) => {
    add(words, { kind: 'digit', value })
  })
  for (const [value, words] of Object.entries(lists.exact)) add(words, { kind: 'exact', value: +value })
  for (const [value, words] of Object.entries(lists.tens))
    add(words, { kind: 'tens', value: +value, from: 1, to: 9 })
  add(lists.hundred.words, { kind: 'hundred', alone: lists.hundred.alone })
  for (const [value, words] of Object.entries(lists.hundreds ?? {}))
    add(words, { kind: 'hundreds', value: +value })
  for (const { value, words, alone } of lists.scales)
    add(words, { kind: 'scale', value, alone: alone ?? false })
  add(lists.and, { kind: 'and' })
  add(lists.point, { kind: 'point' })
  for (const [word, atom] of Object.entries(lists.more ?? {})) found.set(foldWord(word), atom)
  return found
}

/** A pattern for one of several words directly after a number, after a space or a hyphen. */
export function afterNumber(words: string): RegExp {
  return new RegExp(`^(?:[ \\u00a0\\u202f]|-)(?:${words})(?![\\p{L}\\p{N}_])`, 'iu')
}
