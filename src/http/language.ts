// The `language` of a request: the languages Whisper was trained on, or `auto`.
// Whether a given model knows one is model-fields.ts.

import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { nearestLanguage, readLanguage } from '../text/language-names.ts'
import { oneOf, SPELLING, type Spelling } from './schema.ts'

const AUTO = 'auto'

const spelling: Spelling = {
  read: (text) => (text.trim().toLowerCase() === AUTO ? AUTO : readLanguage(text)),
  near: nearestLanguage,
}

const WRITTEN = 'ISO 639-1 where it has a code there; also `EN`, `en-US`, `deu`, and its English or own name'

/** A language that Whisper was trained on, however it is written; the value is Whisper's code. */
export const language = (description = 'a language') =>
  oneOf(WHISPER_LANGUAGES, { description: `${description}: ${WRITTEN}`, [SPELLING]: spelling })

/** The same, or `auto`. */
export const languageOrAuto = (description: string) =>
  oneOf([AUTO, ...WHISPER_LANGUAGES], { description: `${description}: ${WRITTEN}`, [SPELLING]: spelling })

export const languageField = languageOrAuto('the language that is spoken; `auto` finds it out')

/** What a request that says nothing gets is a setting. Null is automatic. */
export const languageAsked = (
  field: string | undefined,
  settings: { language: string | null },
): string | null => (field === undefined ? settings.language : languageOf(field))

/** Null is automatic, as the engine has it. */
export const languageOf = (field: string | undefined): string | null =>
  field === undefined || field === AUTO ? null : field
