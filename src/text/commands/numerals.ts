// Numbers and ordinals in an instruction: "two", "3", "a couple of", "second", "4th", "last".

import { englishNumbers, englishOrdinal } from '../numbers/languages/en.ts'

const UNITS = Array.from({ length: 21 }, (_, value) => englishNumbers.spell(value))

const OTHER_NUMBERS: Record<string, number> = { 'a couple of': 2, 'couple of': 2, a: 1, an: 1, single: 1 }

const ORDINALS = Array.from({ length: 13 }, (_, value) => englishOrdinal(value))

export const NUMBER_PATTERN = `\\d{1,5}|${UNITS.toReversed().join('|')}|a couple of|couple of`

export const TIMES_PATTERN = `once|twice|thrice|(?:${NUMBER_PATTERN}) times`

export const ORDINAL_PATTERN = `${ORDINALS.slice(1).join('|')}|\\d{1,5}(?:st|nd|rd|th)|last|final|second to last|penultimate`

/** Defaults to one. */
export function numberOf(spoken: string | undefined): number {
  if (spoken === undefined) return 1
  const word = spoken.toLowerCase()
  const index = UNITS.indexOf(word)
  return OTHER_NUMBERS[word] ?? (index === -1 ? Number(word) : index)
}

/** "twice", "3 times"; defaults to once. */
export function timesOf(spoken = 'once'): number {
  const index = ['once', 'twice', 'thrice'].indexOf(spoken.toLowerCase())
  return index === -1 ? numberOf(spoken.replace(/ times$/iu, '')) : index + 1
}

/** 1 is the first, -1 the last. */
export function ordinalOf(spoken: string): number {
  const word = spoken.toLowerCase()
  if (word === 'last' || word === 'final') return -1
  if (word === 'second to last' || word === 'penultimate') return -2
  const index = ORDINALS.indexOf(word)
  return index === -1 ? Number.parseInt(word, 10) : index
}
