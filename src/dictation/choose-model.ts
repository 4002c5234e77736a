// Which model hears what somebody says: the one that is asked for, else one that is wished for, else the best there is.
// Which there are is models/; what is told to it is tell-recogniser.ts.

import type { ModelFile, Task } from '../engine/engine.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { Warning } from '../lib/warning.ts'
import type { Needs } from '../models/preference-order.ts'
import type { Settings } from '../settings/settings.ts'
import { needsOf } from './known-languages.ts'

/** The codes are those of the transcriber and of the model store. */
export type DictationFailure = { code: string; message: string }

type HearingModel = ModelFile & { knowsCantonese?: boolean }

export type ChoosingDeps = {
  models: { resolve(name: string | null, needs?: Needs): Promise<Result<HearingModel, DictationFailure>> }
  settings: { current(): Settings }
}

type Asked = {
  /** a name; null is the preferred one */
  model: string | null
  /** taken where no model is asked for, if it can be: the writing style's */
  wishedModel?: string | null
  /** ISO 639-1; null is found out */
  language: string | null
  task: Task
}

export type Chosen = { model: HearingModel; warnings: Warning[] }

/** A model that is asked for must be there; the writing style and the settings only wish for theirs. */
export async function chooseModel(
  { models, settings }: ChoosingDeps,
  { model: name, wishedModel = null, language, task }: Asked,
): Promise<Result<Chosen, DictationFailure>> {
  const wishes = name === null ? [wishedModel, settings.current().sttModel] : []
  let missed: DictationFailure | null = null
  for (const wish of wishes.filter((one) => one !== null)) {
    const wished = await models.resolve(wish)
    if (wished.ok) return succeed({ model: wished.value, warnings: insteadOf(missed, wished.value) })
    missed ??= wished.failure
  }
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) return model
  return succeed({ model: model.value, warnings: insteadOf(missed, model.value) })
}

const insteadOf = (missed: DictationFailure | null, { name }: HearingModel): Warning[] =>
  missed === null ? [] : [{ code: missed.code, message: `${missed.message} This was heard with ${name}.` }]
