/** Scripts without spaces between words. For a character class, with the flag u or v. */
export const UNSPACED_SCRIPTS =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
