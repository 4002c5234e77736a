// Cuts names and titles to a length that headers, file systems and lists can bear.
// Counts code points, so that no character outside the basic plane is torn in two.

/** At most so many characters of the beginning. */
export const firstCharacters = (text: string, maxCharacters: number): string =>
  // A code point has at most two units: the rest of a huge text need not be looked at.
  [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters).join('')

/** A longer name loses characters before its ending: `recording of th….flac`. */
export function shortenFileName(name: string, maxCharacters: number): string {
  if (firstCharacters(name, maxCharacters) === name) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${firstCharacters(name, maxCharacters - ending.length - 1)}…${ending}`
}
