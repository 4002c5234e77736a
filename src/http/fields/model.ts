// Checks the model, language and task of a request before its audio is processed.

import { knowsLanguage, needsOf } from '../../dictation/known-languages.ts'
import type { Task } from '../../engine/engine.ts'
import { fail, type Result } from '../../lib/result.ts'
import type { ModelStore, UsableModel } from '../../models/store.ts'
import { problemOf } from '../contract/failure.ts'
import type { FormStage } from '../contract/form.ts'
import { faultOf } from '../contract/merge-errors.ts'
import type { Fault, Problem } from '../contract/problem.ts'
import { text } from '../contract/schema.ts'

export type FindsModels = Pick<ModelStore, 'resolve'>

export type ModelFields = {
  model: string | null
  /** ISO 639-1; null means automatic detection */
  language: string | null
  task: Task
}

export const modelField = text({
  description:
    'such as `base`, `whisper-base`, `base.en` or `base.en-q5_1`; by default the model in the settings, else the best installed one',
  minLength: 1,
  maxLength: 100,
})

/** Where the fields are in the request. `model` is a JSON Pointer, because the field has two names. */
export type ModelFieldsAt = {
  in: Fault['in']
  model: string
  /** the field to report, if the address of the route and not a field determines the task */
  task?: string
}

/** Returns the model if it is installed and supports language and task; a 422 names the wrong field. */
export async function findModel(
  models: FindsModels,
  { model: name, language, task }: ModelFields,
  at: ModelFieldsAt,
): Promise<Result<UsableModel, Problem>> {
  const wrong = (problem: Problem, path: string, message: string): Result<never, Problem> =>
    fail({ ...problem, errors: [{ in: at.in, path, message }] })
  const model = await models.resolve(name, needsOf(language, task))
  if (!model.ok) {
    const problem = problemOf(model.failure)
    return problem.code === 'unknown_model' ? wrong(problem, at.model, NO_MODEL) : fail(problem)
  }
  const { name: found, multilingual } = model.value
  const only = `The model ${found} knows only English`
  const instead = 'use a multilingual model (GET /models/status lists them)'
  if (language !== null && !knowsLanguage(model.value, language)) {
    const detail = multilingual
      ? `The model ${found} does not know Cantonese ("yue"); large-v3 and large-v3-turbo do.`
      : `${only}; for "${language}" ${instead}.`
    return wrong(
      { code: 'unsupported_language', detail },
      '/language',
      `is not supported by the model ${found}`,
    )
  }
  if (!multilingual && task === 'translate') {
    const problem = { code: 'unsupported_task', detail: `${only} and cannot translate; ${instead}.` } as const
    return at.task === undefined
      ? wrong(problem, '/task', `is not supported by the model ${found}`)
      : wrong(problem, at.task, 'must be one that can translate')
  }
  return model
}

/** Null if the fields are valid. */
export async function checkModelFields(...asked: Parameters<typeof findModel>): Promise<Problem | null> {
  const model = await findModel(...asked)
  return model.ok ? null : model.failure
}

export const NO_MODEL = 'names no model; GET /models/status lists them'

type ModelInForm = {
  model: string | undefined
  language: string | null
  task?: Task | undefined
  /** for routes that accept foreign model names: maps a name to ours; null is the preferred model */
  meant?: (name: string | undefined) => Promise<string | null>
}

/**
 * checkModelFields for a form that is still arriving. The model may follow the file, so the default model is not assumed
 * before the form has ended, nor in place of a model that the schema rejects.
 */
export async function checkModelInForm(
  models: FindsModels,
  { model, language, task = 'transcribe', meant = async (name) => name ?? null }: ModelInForm,
  { whole, faulty, at }: FormStage & { at: ModelFieldsAt },
): Promise<Problem | null> {
  if (model === undefined && (!whole || faulty.has(at.model.slice(1)))) return null
  return checkModelFields(models, { model: await meant(model), language, task }, at)
}

/** For a model for later use, such as in a setting: it must exist, but need not be installed. */
export async function modelFault(
  models: FindsModels,
  name: string | null | undefined,
): Promise<Problem | null> {
  const found = name ? await models.resolve(name) : null
  if (found === null || found.ok || found.failure.code !== 'unknown_model') return null
  return faultOf({ in: 'body', path: '/stt_model', message: NO_MODEL })
}
