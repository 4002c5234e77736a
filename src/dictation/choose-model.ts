// Chooses the model of a transcription: the requested one, else the writing style's or the setting's, else the default.

import type { ModelFile, Task } from '../engine/engine.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { Warning } from '../lib/warning.ts'
import type { Needs } from '../models/preference-order.ts'
import type { Settings } from '../settings/settings.ts'
import { needsOf } from './known-languages.ts'

/** Codes come from the transcriber and the model store. */
export type DictationFailure = { code: string; message: string }

type HearingModel = ModelFile & { knowsCantonese?: boolean }

export type ChoosingDeps = {
  models: { resolve(name: string | null, needs?: Needs): Promise<Result<HearingModel, DictationFailure>> }
  settings: { current(): Settings }
}

type ModelRequest = {
  /** null: the preferred one */
  model: string | null
  /** the writing style's model: used if the request names none and it is available */
  wishedModel?: string | null
  /** ISO 639-1; null: detected */
  language: string | null
  task: Task
}

export type Chosen = { model: HearingModel; warnings: Warning[] }

/** A requested model must be available; those of the writing style and the settings are preferences. */
export async function chooseModel(
  { models, settings }: ChoosingDeps,
  { model: name, wishedModel = null, language, task }: ModelRequest,
): Promise<Result<Chosen, DictationFailure>> {
  const wishes = name === null ? [wishedModel, settings.current().sttModel] : []
  let failure: DictationFailure | null = null
  for (const wish of wishes.filter((one) => one !== null)) {
    const wished = await models.resolve(wish)
    if (wished.ok) return succeed({ model: wished.value, warnings: insteadOf(failure, wished.value) })
    failure ??= wished.failure
  }
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) return model
  return succeed({ model: model.value, warnings: insteadOf(failure, model.value) })
}

const insteadOf = (failure: DictationFailure | null, { name }: HearingModel): Warning[] =>
  failure === null ? [] : [{ code: failure.code, message: `${failure.message} Used ${name} instead.` }]
