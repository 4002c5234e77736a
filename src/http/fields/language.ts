// The `language` of a request: the languages Whisper was trained on, or `auto`.
// Whether a given model knows one is model.ts.

import { WHISPER_LANGUAGES } from '../../engine/languages.ts'
import { oneOf } from '../../lib/schema.ts'
import {
  baseLanguage,
  LANGUAGE_VARIANTS,
  nearestLanguage,
  readLanguage,
  readLanguageVariant,
} from '../../text/language-names.ts'
import { type Spelling, spelled } from '../contract/schema.ts'

const AUTO = 'auto'

const spelling: Spelling = { read: readLanguage, near: nearestLanguage }

const spellingWithVariants: Spelling = {
  read: (text) => (text.trim().toLowerCase() === AUTO ? AUTO : readLanguageVariant(text)),
  near: nearestLanguage,
}

const WRITTEN = 'ISO 639-1 where it has a code there; also `EN`, `en-US`, `deu`, and its English or own name'

/** A language that Whisper was trained on, however it is written; the value is Whisper's code. */
export const language = (description = 'a language') =>
  spelled(oneOf(WHISPER_LANGUAGES, { description: `${description}: ${WRITTEN}` }), spelling)

const VARIANTS =
  '`zh-CN`, `zh-SG` and `zh-Hans` are written in simplified characters, `zh-TW`, `zh-HK` and `zh-Hant` in traditional ones; other regions whose spelling differs are taken as their language, with a warning'

/** The same, or `auto`, or a variant that is written otherwise. */
export const languageOrAuto = (description: string) =>
  spelled(
    oneOf([AUTO, ...WHISPER_LANGUAGES, ...LANGUAGE_VARIANTS], {
      description: `${description}: ${WRITTEN}; ${VARIANTS}`,
    }),
    spellingWithVariants,
  )

export const languageField = languageOrAuto('the language that is spoken; `auto` finds it out')

/** What a request that says nothing gets is a setting. Null is automatic. */
export const languageAsked = (
  field: string | undefined,
  settings: { language: string | null },
): string | null => (field === undefined ? settings.language : askedLanguage(field))

/** Null is automatic, as the engine has it. */
export const askedLanguage = (field: string | undefined): string | null =>
  field === undefined || field === AUTO ? null : field

/** Of a text that is there already: how it is written does not matter. */
export function askedBase(field: string | undefined): string | null {
  const language = askedLanguage(field)
  return language && baseLanguage(language)
}
