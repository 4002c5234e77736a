// Parses languages as people write them: codes in any case, with a region, with three letters, English and native names.

import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { nearest } from '../lib/nearest.ts'
import { once } from '../lib/once.ts'
import { fold } from './fold.ts'

/** Tags for languages with several written forms, by script or region. Other parts of a tag are ignored. */
export const LANGUAGE_VARIANTS = [
  ...['zh-Hans', 'zh-Hant', 'zh-TW', 'zh-HK', 'yue-Hans', 'yue-Hant'],
  ...['en-GB', 'pt-BR', 'pt-PT', 'de-CH', 'sr-Latn', 'sr-Cyrl', 'uz-Latn', 'uz-Cyrl'],
  ...['az-Cyrl', 'az-Arab', 'bs-Cyrl', 'hi-Latn', 'kk-Latn', 'kk-Arab'],
  ...['ms-Arab', 'pa-Arab', 'tg-Arab', 'tt-Latn'],
] as const

/** `zh` of `zh-TW`: the language that a tag names. */
export const baseLanguage = (tag: string): string => tag.split('-')[0]!

/** The current code of a language, under which Intl has its names. */
const currentCode = (code: string): string => (code === 'jw' ? 'jv' : code)

/** `Welsh` for `cy`. */
export const englishName = (code: string): string =>
  new Intl.DisplayNames(['en'], { type: 'language' }).of(currentCode(code)) ?? code

/** Codes that Whisper names differently (jw), and ISO 639 languages that Whisper does not distinguish. */
const WHISPER_CODES: Record<string, string> = {
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
    const today = currentCode(code)
    const own = new Intl.DisplayNames([today], { type: 'language', fallback: 'none' }).of(today)
    for (const name of [english.of(today), own]) if (name) names.set(fold(name), code)
  }
  for (const [name, code] of Object.entries(WHISPER_CODES)) names.set(name, code)
  return names
})

/** Whisper's code for `de`, `EN-us`, `pt_BR`, `deu`, `German` or `Deutsch`; null if no language matches. */
export function readLanguage(text: string): string | null {
  const written = fold(text.trim())
  if (WHISPER_LANGUAGES.includes(written)) return written
  const name = named().get(written)
  if (name !== undefined) return name
  const [language = ''] = canonical(written).split('-')
  if (WHISPER_LANGUAGES.includes(language)) return language
  return named().get(language) ?? null
}

/** As readLanguage, with the written form: `zh-Hans` for `zh-CN`, `zh-TW` for `zh-Hant-TW`, `en-GB` for `en-AU`. */
export function readLanguageVariant(text: string): string | null {
  const variant = namedVariants().get(fold(text.trim()))
  if (variant !== undefined) return variant
  const language = readLanguage(text)
  if (language === null || !/[-_]/.test(text)) return language
  const found = variantOf(language, canonical(text.trim()))
  return found !== null && LANGUAGE_VARIANTS.includes(found as never) ? found : language
}

/** Variants by English and native names: `Traditional Chinese`, `简体中文`. */
const namedVariants = once((): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames(['en'], { type: 'language' })
  const names = new Map<string, string>()
  for (const tag of LANGUAGE_VARIANTS)
    for (const name of [english.of(tag), new Intl.DisplayNames([tag], { type: 'language' }).of(tag)])
      if (name) names.set(fold(name), tag)
  return names
})

/** Regions with American spelling. */
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

/** `eng` becomes `en`, `iw` becomes `he`; a text that is not a language tag (BCP 47) is returned as it is. */
function canonical(text: string): string {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0]?.toLowerCase() ?? text
  } catch {
    return text
  }
}

/** The code of the language with the most similar name or code; null if none is similar. */
export function nearestLanguage(text: string): string | null {
  const meant = nearest(fold(text.trim()), [...named().keys()])
  return meant === null ? nearest(text.trim(), WHISPER_LANGUAGES) : named().get(meant)!
}
