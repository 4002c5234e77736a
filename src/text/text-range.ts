/** In UTF-16 code units, `to` excluded. */
export type TextRange = { from: number; to: number }
