// Which of the languages that are asked for a model knows, and what is heard in place of the others.
// A request that names one that its model lacks is refused before; settings and styles are only wishes.

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

/** What the model must be that is chosen for this. */
export const needsOf = (language: string | null, task: Task) => ({
  multilingual: task === 'translate' || (language !== null && baseLanguage(language) !== 'en'),
})

/** What a model hears that is asked for this; null is automatic. A model that knows only English hears English. */
export function languageFor(model: Model, asked: string | null): string | null {
  if (!model.multilingual) return 'en'
  return asked !== null && knowsLanguage(model, asked) ? baseLanguage(asked) : null
}

/** @param candidates that automatic detection may choose from; none means every language */
export function unknownLanguages(
  model: Model,
  { asked, candidates }: { asked: string | null; candidates: readonly string[] },
): Warning[] {
  const wished = asked === null ? candidates : [asked]
  if (wished.length === 0 || wished.some((language) => knowsLanguage(model, language))) return []
  const named = wished.map((language) => `"${language}"`).join(', ')
  const instead = model.multilingual ? 'the language is found out' : 'it hears English'
  return [
    { code: 'language_ignored', message: `The model ${model.name} does not know ${named}; ${instead}.` },
  ]
}

/** A model has one spelling of each language; of Chinese alone the script can be chosen. */
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
