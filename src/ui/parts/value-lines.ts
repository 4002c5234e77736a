// Lists that are edited as text, a value on each line.
// What the values are is each form's.

export const valuesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
