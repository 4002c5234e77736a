import type { Language } from './languages/languages.ts'
import type { TextToken } from './tokens.ts'

/** The rules of a writing style that need no language model. */
export type StyleRules = {
  /** removes hesitations ("um") and discourse words set off by commas ("you know") */
  removeFillers: boolean
  capitalize: 'sentence' | 'none' | 'lower'
  /** whether the final full stop is kept, added or removed */
  trailingPeriod: 'keep' | 'add' | 'strip'
  /** adds a trailing space, for dictating several pieces into the same field */
  trailingSpace: boolean
  /** writes "comma" and "new line" as punctuation and a line break */
  spokenPunctuation: boolean
  /** 'digits' writes number words as digits; 'words' leaves numbers as recognised */
  numbers: 'words' | 'digits'
  /** divides long lines into paragraphs */
  paragraphs: boolean
}

export type Flags = { smartCleanup: boolean; selfCorrection: boolean; preserveTechnical: boolean }

export type StepContext = { language: Language; rules: StyleRules; flags: Flags }

/** Pure; returns the new text, or the same text if there is nothing to do. */
export type RefinementStep = (tokens: readonly TextToken[], context: StepContext) => string
