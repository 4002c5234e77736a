// Folds text so that it can be compared whatever its case or accents, in any language.
// For finding; where the place in the text matters, dictionary/ folds letter by letter.

/** Lower case, without accents and compatibility forms; letters that carry meaning of their own stay. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(COMBINING_ACCENTS, '').toLowerCase().normalize('NFC')

/** What names of things are compared by, which a person gave them: spaces do not count either. */
export const foldedName = (name: string): string => fold(name).replace(/\s+/g, ' ').trim()

// Only the accents of Latin, Greek and Cyrillic: the marks of Indic and Thai scripts are their vowels.
const COMBINING_ACCENTS = /[\u0300-\u036f]/gu
