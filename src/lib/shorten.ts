// Shortens names and titles to what headers, file systems and lists accept.
// Counts code points, so that characters outside the basic plane are not split.

/** The first `maxCharacters` characters. */
export const firstCharacters = (text: string, maxCharacters: number): string =>
  // A code point has at most two UTF-16 units, so the rest of a huge text is not read.
  [...text.slice(0, 2 * maxCharacters)].slice(0, maxCharacters).join('')

/** Shortens a long name before its extension: `recording of th….flac`. */
export function shortenFileName(name: string, maxCharacters: number): string {
  if (firstCharacters(name, maxCharacters) === name) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${firstCharacters(name, maxCharacters - ending.length - 1)}…${ending}`
}
