// A place in a text, as everything that finds one tells it.
// Finds nothing itself.

/** Code units of UTF-16, `to` excluded. */
export type TextRange = { from: number; to: number }
