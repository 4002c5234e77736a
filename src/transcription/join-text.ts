// Puts the texts of segments one behind the other.
// Knows writing systems, not times.

/** Scripts that put no space between sentences, and their punctuation. */
const NO_SPACE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uff65]/u

/** What stands between two texts that are not empty. */
export const between = (before: string, after: string): '' | ' ' =>
  NO_SPACE.test(before.at(-1)!) && NO_SPACE.test(after[0]!) ? '' : ' '

/** One text, single spaces where the script wants them. */
export function joinTexts(texts: string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .reduce((joined, text) => (joined === '' ? text : joined + between(joined, text) + text), '')
}
