// Values that are edited as text: lists with one on each line, and numbers.
// What they mean is each form's.

export const valuesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A whole number is sent as one; what is none as it is, so that the server says what it should be. */
export const sentNumber = (text: string): number | string =>
  /^\s*-?\d+\s*$/.test(text) ? Number(text) : text
