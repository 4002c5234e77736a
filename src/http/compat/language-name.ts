const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** English name in lowercase; empty if there was no speech. */
export const languageName = (language: string | null): string =>
  language === null ? '' : (names.of(language) ?? language).toLowerCase()
