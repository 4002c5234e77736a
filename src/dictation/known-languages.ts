// Which requested languages a model supports, and the fallback for the others.
// A request for an unsupported language is rejected earlier; settings and styles are preferences.

import type { Task } from '../engine/engine.ts'
import type { Warning } from '../lib/warning.ts'
import { writesScript } from '../text/chinese-script.ts'
import { baseLanguage, englishName } from '../text/language-names.ts'

type Model = { name: string; multilingual: boolean; knowsCantonese?: boolean }

const CANTONESE = 'yue'

export function knowsLanguage({ multilingual, knowsCantonese }: Model, asked: string): boolean {
  const language = baseLanguage(asked)
  return multilingual ? language !== CANTONESE || knowsCantonese !== false : language === 'en'
}

/** What a request requires of the model. */
export const needsOf = (language: string | null, task: Task) => ({
  multilingual: task === 'translate' || (language !== null && baseLanguage(language) !== 'en'),
})

/** The language that the model transcribes in; null: detected. An English-only model always uses English. */
export function languageFor(model: Model, asked: string | null): string | null {
  if (!model.multilingual) return 'en'
  return asked !== null && knowsLanguage(model, asked) ? baseLanguage(asked) : null
}

/** @param candidates for language detection; an empty list means every language */
export function unknownLanguages(
  model: Model,
  { asked, candidates }: { asked: string | null; candidates: readonly string[] },
): Warning[] {
  const wished = asked === null ? candidates : [asked]
  if (wished.length === 0 || wished.some((language) => knowsLanguage(model, language))) return []
  const named = wished.map((language) => `"${language}"`).join(', ')
  const instead = model.multilingual ? 'the language is detected instead' : 'it transcribes English only'
  return [
    { code: 'language_ignored', message: `The model ${model.name} does not know ${named}; ${instead}.` },
  ]
}

/** A model has one spelling per language; only the script of Chinese can be chosen. */
export function unwrittenSpelling(asked: string | null): Warning[] {
  if (asked === null || asked === baseLanguage(asked) || writesScript(asked)) return []
  const language = englishName(baseLanguage(asked))
  return [
    {
      code: 'spelling_ignored',
      message: `The spelling of “${asked}” cannot be chosen; the text uses the model's ${language} spelling.`,
    },
  ]
}
