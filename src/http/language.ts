// The `language` of a request: the languages Whisper was trained on, or `auto`.
// Whether a given model knows one is model-fields.ts.

import { WHISPER_LANGUAGES } from '../engine/languages.ts'
import { oneOf } from './schema.ts'

export const languageField = oneOf(['auto', ...WHISPER_LANGUAGES], {
  description: 'the language that is spoken, ISO 639-1 where it has a code there; `auto` finds it out',
})

/** What a request that says nothing gets is a setting. Null is automatic. */
export const languageAsked = (
  field: string | undefined,
  settings: { language: string | null },
): string | null => (field === undefined ? settings.language : languageOf(field))

/** Null is automatic, as the engine has it. */
export const languageOf = (field: string | undefined): string | null =>
  field === undefined || field === 'auto' ? null : field
