// Whether this is a quick run (unit tests, by scripts/test.ts), in which at-length.ts and fast-check.ts do less.

export const isQuick = process.env.TESTS === 'quick'
