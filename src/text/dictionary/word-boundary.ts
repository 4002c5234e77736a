// Where words end: between letters and everything else, and anywhere beside scripts that put no spaces.
// Does not divide a text into words.

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Written without spaces between words, so that a word can begin or end anywhere. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isWord = (character: string): boolean => WORD.test(character) && !UNSPACED.test(character)

/** The character that a letter is built on. */
const baseAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

/** Whether two neighbouring letters, by where they begin in the text, may belong to two words. */
export const isBoundary = (text: string, before: number, after: number): boolean =>
  !(isWord(baseAt(text, before)) && isWord(baseAt(text, after)))

/** What is left of can't and won't is no word. */
const CONTRACTION = /^['’]t(?![\p{L}\p{N}\p{M}])/iu

export const isContracted = (text: string, at: number): boolean => CONTRACTION.test(text.slice(at, at + 4))
