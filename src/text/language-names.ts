// Languages as people write them: codes in any case, with a region, of three letters, English and own names.
// Which languages there are is the engine's (engine/languages.ts).

import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { closestWord } from '../lib/did-you-mean.ts'
import { once } from '../lib/once.ts'
import { fold } from './fold.ts'

/** Tags of languages that are written in more than one way, by script or region; what else a tag says does not matter. */
export const LANGUAGE_VARIANTS = [
  ...['zh-Hans', 'zh-Hant', 'zh-TW', 'zh-HK', 'yue-Hans', 'yue-Hant'],
  ...['en-GB', 'pt-BR', 'pt-PT', 'de-CH', 'sr-Latn', 'sr-Cyrl', 'uz-Latn', 'uz-Cyrl'],
  ...['az-Cyrl', 'az-Arab', 'bs-Cyrl', 'hi-Latn', 'kk-Latn', 'kk-Arab'],
  ...['ms-Arab', 'pa-Arab', 'tg-Arab', 'tt-Latn'],
] as const

/** `zh` of `zh-TW`: the language that a tag names. */
export const baseLanguage = (tag: string): string => tag.split('-')[0]!

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

/** The same, with what decides how it is written: `zh-Hans` of `zh-CN`, `zh-TW` of `zh-Hant-TW`, `en-GB` of `en-AU`. */
export function readLanguageVariant(text: string): string | null {
  const variant = namedVariants().get(fold(text.trim()))
  if (variant !== undefined) return variant
  const language = readLanguage(text)
  if (language === null || !/[-_]/.test(text)) return language
  const found = variantOf(language, canonical(text.trim()))
  return found !== null && LANGUAGE_VARIANTS.includes(found as never) ? found : language
}

/** By English and own names: `Traditional Chinese`, `简体中文`. */
const namedVariants = once((): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames(['en'], { type: 'language' })
  const names = new Map<string, string>()
  for (const tag of LANGUAGE_VARIANTS)
    for (const name of [english.of(tag), new Intl.DisplayNames([tag], { type: 'language' }).of(tag)])
      if (name) names.set(fold(name), tag)
  return names
})

/** Where English is spelled as in the United States. */
const AMERICAN = ['US', 'PH', 'PR', 'GU', 'AS', 'VI', 'MP', 'UM', 'LR']

/** @param tag canonical, in any case */
function variantOf(language: string, tag: string): string | null {
  const locale = localeOf(tag)
  if (locale === null || (locale.script === undefined && locale.region === undefined)) return null
  const { script, region } = locale.maximize()
  if (language === 'zh' && script === 'Hant' && region === 'TW')
    return locale.region === undefined ? 'zh-Hant' : 'zh-TW'
  if (language === 'zh' && script === 'Hant' && (region === 'HK' || region === 'MO')) return 'zh-HK'
  if (language === 'zh' || language === 'yue' || locale.script !== undefined) return `${language}-${script}`
  if (language === 'en') return AMERICAN.includes(region ?? '') ? null : 'en-GB'
  if (language === 'pt') return region === 'BR' ? 'pt-BR' : 'pt-PT'
  return language === 'de' && region === 'LI' ? 'de-CH' : `${language}-${region}`
}

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
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
  const meant = closestWord(fold(text.trim()), [...named().keys()])
  return meant === null ? closestWord(text.trim(), WHISPER_LANGUAGES) : named().get(meant)!
}
