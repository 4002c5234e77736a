// Converts lists (one item per line) and numbers to and from text.

export const valuesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** An integer as a number; any other input unchanged, so that the server explains what is wrong. */
export const sentNumber = (text: string): number | string =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : text
