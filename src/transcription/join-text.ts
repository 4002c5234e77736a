// Joins the texts of segments with the spacing of their script.

/** Scripts that put no space between sentences, and their punctuation. */
const NO_SPACE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff65]/u

/** The separator between two non-empty texts. */
export const between = (before: string, after: string): '' | ' ' =>
  NO_SPACE.test(before.at(-1)!) && NO_SPACE.test(after[0]!) ? '' : ' '

export function joinTexts(texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .reduce((joined, text) => (joined === '' ? text : joined + between(joined, text) + text), '')
}
