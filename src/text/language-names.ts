// Languages as people write them: codes in any case, with a region, of three letters, English and own names.
// Which languages there are is the engine's (engine/languages.ts).

import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { nearest } from '../lib/nearest.ts'
import { once } from '../lib/once.ts'
import { fold } from './fold.ts'

/** The code of today, which the names of languages are kept under. */
const todays = (code: string): string => (code === 'jw' ? 'jv' : code)

/** `Welsh` of `cy`. */
export const englishName = (code: string): string =>
  new Intl.DisplayNames(['en'], { type: 'language' }).of(todays(code)) ?? code

/** Where Whisper's code is not today's (jw), or several languages of ISO 639 are one to it. */
const WHISPERS: Record<string, string> = {
  jv: 'jw',
  nb: 'no',
  fil: 'tl',
  cmn: 'zh',
  mandarin: 'zh',
  cantonese: 'yue',
  farsi: 'fa',
  flemish: 'nl',
  castilian: 'es',
  valencian: 'ca',
  burmese: 'my',
  moldavian: 'ro',
  sinhala: 'si',
}

const named = once((): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames(['en'], { type: 'language' })
  const names = new Map<string, string>()
  for (const code of WHISPER_LANGUAGES) {
    const today = todays(code)
    const own = new Intl.DisplayNames([today], { type: 'language', fallback: 'none' }).of(today)
    for (const name of [english.of(today), own]) if (name) names.set(fold(name), code)
  }
  for (const [name, code] of Object.entries(WHISPERS)) names.set(name, code)
  return names
})

/** Whisper's code of the language that is meant by `de`, `EN-us`, `pt_BR`, `deu`, `German` or `Deutsch`; null of none. */
export function readLanguage(text: string): string | null {
  const written = fold(text.trim())
  if (WHISPER_LANGUAGES.includes(written)) return written
  const name = named().get(written)
  if (name !== undefined) return name
  const [language = ''] = canonical(written).split('-')
  if (WHISPER_LANGUAGES.includes(language)) return language
  return named().get(language) ?? null
}

/** `eng` is `en`, `iw` is `he`; what is no tag of a language (BCP 47) stays as it is. */
function canonical(text: string): string {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0]?.toLowerCase() ?? text
  } catch {
    return text
  }
}

/** The code of the language whose name or code is nearest; null where none is near. */
export function nearestLanguage(text: string): string | null {
  const meant = nearest(fold(text.trim()), [...named().keys()])
  return meant === null ? nearest(text.trim(), WHISPER_LANGUAGES) : named().get(meant)!
}
