// Whether this is a quick run (`npm test`, by scripts/test.ts), in which at-length.ts and fast-check.ts do less.

export const isQuick = process.env.TESTS === 'quick'
