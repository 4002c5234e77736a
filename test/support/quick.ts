// Whether tests run while somebody writes and waits for them, as scripts/test.ts says for the unit tests.
// What is left out then is at-length.ts and fast-check.ts.

export const isQuick = process.env.TESTS === 'quick'
