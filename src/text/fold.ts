/**
 * Folds a text for comparison in any language: lowercase, without accents and compatibility forms. Distinct letters stay.
 * Offsets change; where they matter, use dictionary/case-folding.ts.
 */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(COMBINING_ACCENTS, '').toLowerCase().normalize('NFC')

/** Folds a name that a user chose; also ignores differences in white space. */
export const foldedName = (name: string): string => fold(name).replace(/\s+/g, ' ').trim()

// Only accents of Latin, Greek and Cyrillic: the combining marks of Indic and Thai scripts are vowels.
const COMBINING_ACCENTS = /[\u0300-\u036f]/gu
