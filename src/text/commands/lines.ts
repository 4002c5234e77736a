// A text as lines, and back: what ends its lines, and what stands after the last one, stays as it was.
// Does not know what is done with the lines.

const LINE_BREAK = /\r\n|\n|\r/u

/** How this text ends its lines; `\n` where it has only one. */
export const lineBreakOf = (text: string): string => LINE_BREAK.exec(text)?.[0] ?? '\n'

/** The lines without the breaks at the end of the text. */
export const linesOf = (text: string): string[] => bodyOf(text).split(LINE_BREAK)

/** Changes the lines; line ends are those of the text, and the breaks at its end stay. */
export function mapLines(text: string, change: (lines: string[]) => string[]): string {
  return change(linesOf(text)).join(lineBreakOf(text)) + finalBreaksOf(text)
}

export const mapEachLine = (text: string, change: (line: string) => string): string =>
  mapLines(text, (lines) => lines.map(change))

/** Changes what stands between the white space at both ends, which stays. */
export function mapInner(text: string, change: (inner: string) => string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return text.slice(0, start) + change(inner) + text.slice(start + inner.length)
}

export const isBlank = (line: string): boolean => line.trim() === ''

/** The breaks after the last line. */
export const finalBreaksOf = (text: string): string => endingOf(text, /[\r\n]/u)

const bodyOf = (text: string): string => text.slice(0, text.length - finalBreaksOf(text).length)

/**
 * The longest end of a text that is made of such signs alone. A pattern that ends in `+$` would try every run of
 * them inside the text, too, each to its end.
 */
export function endingOf(text: string, sign: RegExp): string {
  let from = text.length
  while (from > 0 && sign.test(text.charAt(from - 1))) from--
  return text.slice(from)
}
