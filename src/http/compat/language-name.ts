// The name that other programs' interfaces give a language: in English, in lower case.
// How languages are written in requests is fields/language.ts.

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** Empty where nothing was said. */
export const languageName = (language: string | null): string =>
  language === null ? '' : (names.of(language) ?? language).toLowerCase()
