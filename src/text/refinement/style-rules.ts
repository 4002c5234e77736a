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
