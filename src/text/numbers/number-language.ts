// What a language must tell so that its number words can be read and written: the type of the data in languages/.
// Holds no words of its own.

/** What one number word does in a number. `ordinal` ends it: nothing may follow. */
export type Atom =
  /** `whole`: never the first half of a number: eins, eine */
  (
    | { kind: 'digit'; value: number; whole?: true }
    /** 10 to 29 where they are words of their own */
    | { kind: 'exact'; value: number }
    /** takes a number between `from` and `to` after it */
    | { kind: 'tens'; value: number; from: number; to: number }
    /** multiplies what stands before it; `alone`: is 100 without it */
    | { kind: 'hundred'; alone: boolean }
    /** `doscientos` */
    | { kind: 'hundreds'; value: number }
    /** 1000 and more; `alone`: is that number without a multiplier */
    | { kind: 'scale'; value: number; alone: boolean }
    | { kind: 'and' }
    | { kind: 'point' }
    /** the article in `a hundred` */
    | { kind: 'article' }
    /** `oh`: a zero, but only between other digits */
    | { kind: 'inner-zero' }
  ) & { ordinal?: true }

/** A language that writes its number words with letters. All words are folded (lower case, no accents). */
export type WordLanguage = {
  script: 'letters'
  words: ReadonlyMap<string, Atom>
  /** number words are written together: fünfundzwanzig, ventitré */
  compounds: boolean
  /** `units-first`: five-and-twenty, in one word or in three */
  order: 'tens-first' | 'units-first'
  /** which numbers may follow the tens over an "and": thirty "y" five, soixante "et" onze */
  tensAnd: (small: number) => boolean
  /** `two thousand and five hundred` is one number */
  hundredsAfterAnd: boolean
  /** quatre-vingts */
  fourTwenties: boolean
  /** the word for one is the article as well: eine Million stays in words */
  oneIsArticle: boolean
  /** `nineteen ninety nine` is a year */
  yearsInPairs: boolean
  decimalSeparator: '.' | ','
  /** what stands between groups of three digits when a number is written out in digits */
  groupSeparator: '.' | ',' | ' '
  /** words for the sign, always or only before degrees (where the word means "less" as well) */
  minus: { words: readonly string[]; onlyBefore: RegExp | null }
  /** the words for percent, and what is written for them */
  percent: { pattern: RegExp; sign: '%' | ' %'; word: string }
  /** what makes a small number a measurement; matched against the text after it */
  units: RegExp
  /** the units before which even the word for one is a number and no article */
  unitsOfOne: RegExp
  /** am and pm, after which two numbers are a time */
  clock: RegExp | null
  /** words before two numbers that make a time of them: at five thirty */
  beforeTimes: ReadonlySet<string>
  /**
   * Hours and minutes with an "and" between: a las siete y veinte. What stands before the hour (matched against the
   * text before it), the "and", and what may follow the minutes (a noun would be counted by them); null where nobody
   * speaks so.
   */
  timesWithAnd: { before: RegExp; and: string; after: RegExp } | null
  /** twenties to nineties, by their words, where a century stands before them */
  decades: ReadonlyMap<string, number>
  /** words before a small number that make it a label: page, version */
  labels: ReadonlySet<string>
  /** what stands between the two ends of a range */
  ranges: ReadonlySet<string>
  /** words after which "and" separates two numbers */
  between: ReadonlySet<string>
  ordinal: {
    /** how the ordinal is written, or null where it stays a word */
    write: (value: number, context: OrdinalContext) => string | null
  } | null
  /** a whole number from 0 to 10^15 in words */
  spell: (value: number) => string
  /** an ordinal in words, where a suffix in digits is unambiguous (21st) */
  spellOrdinal: ((value: number) => string) | null
  minusWord: string
  pointWord: string
}

/** What an ordinal stands between: folded words, empty at the ends of the text. */
export type OrdinalContext = { before: string; after: string; last: string }

/** Chinese and Japanese: digits and positions are single signs, without spaces. */
export type HanLanguage = {
  script: 'han'
  /** 三百五 is 350 (Chinese) and not 305 (Japanese) */
  shortened: boolean
  /** a number may begin with 百 or 千 */
  bareHundreds: boolean
  /** words that hold a number and are none */
  idioms: readonly string[]
  /** what makes a single sign a measurement; matched against the text after it */
  units: RegExp
  /** the units before which even 一 is a number */
  unitsOfOne: RegExp
  /** where percent stands, before or after the number, and how it is written in words */
  percent: { before: RegExp | null; after: RegExp | null; write: (words: string) => string }
  minus: RegExp
  spell: (value: number) => string
  minusWord: string
  pointWord: string
}

export type NumberLanguage = WordLanguage | HanLanguage

/** Numbers above this are left as they are. */
export const LARGEST_NUMBER = 1e15

/** Lower case without accents, as all words of the data files are kept. */
export function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

/** The atoms of a language from short lists, one line per kind. */
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

/** A pattern for one of several words directly after a number, separated by a space or a hyphen. */
export function afterNumber(words: string): RegExp {
  return new RegExp(`^(?:[ \\u00a0\\u202f]|-)(?:${words})(?![\\p{L}\\p{N}_])`, 'iu')
}
