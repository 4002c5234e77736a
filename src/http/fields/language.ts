// The `language` field: one of the languages that Whisper was trained on, or `auto`.

import { WHISPER_LANGUAGES } from '../../engine/languages.ts'
import { oneOf } from '../../lib/schema.ts'
import {
  baseLanguage,
  LANGUAGE_VARIANTS,
  nearestLanguage,
  readLanguage,
  readLanguageVariant,
} from '../../text/language-names.ts'
import { type Aliases, withAliases } from '../contract/schema.ts'

const AUTO = 'auto'

const aliases: Aliases = { read: readLanguage, near: nearestLanguage }

const aliasesWithVariants: Aliases = {
  read: (text) => (text.trim().toLowerCase() === AUTO ? AUTO : readLanguageVariant(text)),
  near: nearestLanguage,
}

const WRITTEN =
  'the ISO 639-1 code if it has one; also accepts `EN`, `en-US`, `deu`, and its English or native name'

/** A language that Whisper was trained on, in any accepted spelling; the value is Whisper's code. */
export const language = (description = 'a language') =>
  withAliases(oneOf(WHISPER_LANGUAGES, { description: `${description}: ${WRITTEN}` }), aliases)

const VARIANTS =
  '`zh-CN`, `zh-SG` and `zh-Hans` produce simplified characters, `zh-TW`, `zh-HK` and `zh-Hant` traditional ones; other regions with a different spelling are treated as their language, with a warning'

/** A language, `auto`, or a variant with its own script. */
export const languageOrAuto = (description: string) =>
  withAliases(
    oneOf([AUTO, ...WHISPER_LANGUAGES, ...LANGUAGE_VARIANTS], {
      description: `${description}: ${WRITTEN}; ${VARIANTS}`,
    }),
    aliasesWithVariants,
  )

export const languageField = languageOrAuto('the spoken language; `auto` detects it')

/** Without the field the setting applies. Null means automatic detection. */
export const languageOrDefault = (
  field: string | undefined,
  settings: { language: string | null },
): string | null => (field === undefined ? settings.language : parseLanguage(field))

/** Null means automatic detection, as in the engine. */
export const parseLanguage = (field: string | undefined): string | null =>
  field === undefined || field === AUTO ? null : field

/** For an existing text, whose script is already decided: the language without its variant. */
export function parseBaseLanguage(field: string | undefined): string | null {
  const language = parseLanguage(field)
  return language && baseLanguage(language)
}
