// Chooses the model of a transcription (the requested one, else the writing style's or the setting's, else the default)
// by the languages that it knows, and warns where a larger one does better.

import type { ModelFile, Task } from '../engine/engine.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { Warning } from '../lib/warning.ts'
import { CATALOGUE, type ModelSize } from '../models/catalogue.ts'
import type { Needs } from '../models/installed.ts'
import { type Inaccuracy, inaccuracyOf } from '../models/language-errors.ts'
import type { Settings } from '../settings/settings.ts'
import { writesScript } from '../text/chinese-script.ts'
import { baseLanguage, englishName } from '../text/language-names.ts'

type Model = { name: string; multilingual: boolean; knowsCantonese?: boolean }

const CANTONESE = 'yue'

export function knowsLanguage({ multilingual, knowsCantonese }: Model, requested: string): boolean {
  const language = baseLanguage(requested)
  return multilingual ? language !== CANTONESE || knowsCantonese !== false : language === 'en'
}

/** What a request requires of the model. */
export const needsOf = (language: string | null, task: Task) => ({
  multilingual: task === 'translate' || (language !== null && baseLanguage(language) !== 'en'),
})

/** The language that the model transcribes in; null: detected. An English-only model always uses English. */
export function languageFor(model: Model, requested: string | null): string | null {
  if (!model.multilingual) return 'en'
  return requested !== null && knowsLanguage(model, requested) ? baseLanguage(requested) : null
}

/** @param candidates for language detection; an empty list means every language */
export function unknownLanguages(
  model: Model,
  { requested, candidates }: { requested: string | null; candidates: readonly string[] },
): Warning[] {
  const wanted = requested === null ? candidates : [requested]
  if (wanted.length === 0 || wanted.some((language) => knowsLanguage(model, language))) return []
  const named = wanted.map((language) => `"${language}"`).join(', ')
  const instead = model.multilingual ? 'the language is detected instead' : 'it transcribes English only'
  return [
    { code: 'language_ignored', message: `The model ${model.name} does not know ${named}; ${instead}.` },
  ]
}

/** A model has one spelling per language; only the script of Chinese can be chosen. */
export function unwrittenSpelling(requested: string | null): Warning[] {
  if (requested === null || requested === baseLanguage(requested) || writesScript(requested)) return []
  const language = englishName(baseLanguage(requested))
  return [
    {
      code: 'spelling_ignored',
      message: `The spelling of “${requested}” cannot be chosen; the text uses the model's ${language} spelling.`,
    },
  ]
}

/** Codes come from the transcriber and the model store. */
export type DictationFailure = { code: string; message: string }

type ResolvedModel = ModelFile & { knowsCantonese?: boolean }

export type ChoosingDeps = {
  models: { resolve(name: string | null, needs?: Needs): Promise<Result<ResolvedModel, DictationFailure>> }
  settings: { current(): Settings }
}

type ModelRequest = {
  /** null: the preferred one */
  model: string | null
  /** the writing style's model: used if the request names none and it is available */
  styleModel?: string | null
  /** ISO 639-1; null: detected */
  language: string | null
  task: Task
}

export type Chosen = { model: ResolvedModel; warnings: Warning[] }

/** A requested model must be available; those of the writing style and the settings are preferences. */
export async function chooseModel(
  { models, settings }: ChoosingDeps,
  { model: name, styleModel = null, language, task }: ModelRequest,
): Promise<Result<Chosen, DictationFailure>> {
  const preferences = name === null ? [styleModel, settings.current().sttModel] : []
  let failure: DictationFailure | null = null
  for (const preference of preferences.filter((one) => one !== null)) {
    const preferred = await models.resolve(preference)
    if (preferred.ok)
      return succeed({ model: preferred.value, warnings: insteadOf(failure, preferred.value) })
    failure ??= preferred.failure
  }
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) return model
  return succeed({ model: model.value, warnings: insteadOf(failure, model.value) })
}

const insteadOf = (failure: DictationFailure | null, { name }: ResolvedModel): Warning[] =>
  failure === null ? [] : [{ code: failure.code, message: `${failure.message} Used ${name} instead.` }]

type Transcribed = {
  /** catalogue name, or the name of the user's own file */
  model: string
  /** ISO 639-1; null if there was no speech */
  language: string | null
  text: string
}

/** Word error rate in percent; at this rate correct words are chance. */
const HARDLY_ANY_RIGHT_FROM = 95

export function accuracyWarnings({ model, language, text }: Transcribed): Warning[] {
  const published = CATALOGUE.find(({ name }) => name === model)
  if (published === undefined || language === null || text === '') return []
  const inaccuracy = inaccuracyOf(published.size, language)
  if (inaccuracy === null) return []
  const known = `Whisper ${published.family} is inaccurate in ${englishName(language)}: ${measureOf(inaccuracy)}.`
  return [{ code: 'language_written_badly', message: `${known} ${adviceOn(inaccuracy)}` }]
}

function measureOf({ wrong, counted, hours }: Inaccuracy): string {
  if (hours !== null) return `it was trained on ${hours === 0 ? 'none' : aboutHours(hours)} of it`
  const tried = "in its authors' tests"
  if (wrong !== null && wrong >= HARDLY_ANY_RIGHT_FROM) return `${tried}, hardly any ${counted} were right`
  return `${tried}, ${wrong === null ? 'more than 60' : Math.round(wrong)} % of the ${counted} were wrong`
}

const aboutHours = (hours: number): string =>
  hours < 1 ? 'minutes' : `${Math.round(hours)} ${Math.round(hours) === 1 ? 'hour' : 'hours'}`

function adviceOn({ better }: Inaccuracy): string {
  if (better === null) return 'No larger Whisper model gets half of it right.'
  const family = familyOf(better.size)
  const wrong = `${Math.round(better.wrong)} % wrong`
  return `A larger model does better: ${family} (${wrong}). Install it with "dictation models pull ${family}" or POST /models/download.`
}

const familyOf = (size: ModelSize): string =>
  CATALOGUE.find((model) => model.size === size && model.multilingual)!.family
