// The scripts that are written without spaces between words, so that a word may begin and end anywhere.
// Where words end in such a text is not known here.

/** For a character class, with the flag u or v. */
export const UNSPACED_SCRIPTS =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
