// The rules of a writing style that need no language model: the shape that the steps of refinement read.
// Not where styles are kept or chosen: that is src/writing.

export type StyleRules = {
  /** hesitations ("um") and discourse words set off by commas ("you know") are left out */
  removeFillers: boolean
  capitalize: 'sentence' | 'none' | 'lower'
  /** what becomes of the full stop at the very end */
  trailingPeriod: 'keep' | 'add' | 'strip'
  /** one space at the very end, for dictating piece after piece into the same field */
  trailingSpace: boolean
  /** "comma" and "new line" are written as what they name */
  spokenPunctuation: boolean
  /** 'digits' writes number words as digits; 'words' leaves numbers as they were recognised */
  numbers: 'words' | 'digits'
  /** a long text without line breaks is divided into paragraphs */
  paragraphs: boolean
}
