// Splits a text into lines and joins it again; keeps the line ends and the final breaks.

const LINE_BREAK = /\r\n|\n|\r/u

/** The line break that this text uses; `\n` if it has only one line. */
export const lineBreakOf = (text: string): string => LINE_BREAK.exec(text)?.[0] ?? '\n'

/** The breaks after the last line. */
export const finalBreaksOf = (text: string): string => endingOf(text, /[\r\n]/u)

/** The lines, without the final breaks. */
export const linesOf = (text: string): string[] =>
  text.slice(0, text.length - finalBreaksOf(text).length).split(LINE_BREAK)

export const mapLines = (text: string, change: (lines: string[]) => string[]): string =>
  change(linesOf(text)).join(lineBreakOf(text)) + finalBreaksOf(text)

export const mapEachLine = (text: string, change: (line: string) => string): string =>
  mapLines(text, (lines) => lines.map(change))

/** Changes the trimmed text; keeps the outer white space. */
export function mapInner(text: string, change: (inner: string) => string): string {
  const inner = text.trim()
  if (inner === '') return text
  const start = text.indexOf(inner)
  return text.slice(0, start) + change(inner) + text.slice(start + inner.length)
}

export const isBlank = (line: string): boolean => line.trim() === ''

/**
 * The longest suffix of characters that match. A pattern that ends in `+$` would also try every run of them inside the
 * text, each to its end.
 */
export function endingOf(text: string, character: RegExp): string {
  let from = text.length
  while (from > 0 && character.test(text.charAt(from - 1))) from--
  return text.slice(from)
}
