// What a request may ask of a model, checked before anyone looks at its audio.
// Which models there are, and which is best, the model store knows.

import { knowsLanguage, needsOf } from '../../dictation/known-languages.ts'
import type { Task } from '../../engine/engine.ts'
import { fail, type Result } from '../../lib/result.ts'
import type { ModelStore, UsableModel } from '../../models/store.ts'
import { problemOf } from '../contract/failure.ts'
import type { FormStage } from '../contract/form.ts'
import { faultOf } from '../contract/join-problems.ts'
import type { Fault, Problem } from '../contract/problem.ts'
import { text } from '../contract/schema.ts'

export type FindsModels = Pick<ModelStore, 'resolve'>

export type ModelFields = {
  model: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  task: Task
}

export const modelField = text({
  description:
    'such as `base`, `whisper-base`, `base.en` or `base.en-q5_1`; not given: the one that the settings name, else the best that is here',
  minLength: 1,
  maxLength: 100,
})

/** Where in a request they stand; `model` is a pointer, since it has two names. */
export type ModelFieldsAt = {
  in: Fault['in']
  model: string
  /** where no field says it, but the address: what can be changed instead */
  task?: string
}

/** The model, where it is there and can do what is asked; a 422 says which of the fields it means. */
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
  const instead = 'ask for a multilingual one (GET /models/status lists them)'
  if (language !== null && !knowsLanguage(model.value, language)) {
    const detail = multilingual
      ? `The model ${found} does not know Cantonese ("yue"); large-v3 and large-v3-turbo do.`
      : `${only}; for "${language}" ${instead}.`
    return wrong({ code: 'unsupported_language', detail }, '/language', `is not known to the model ${found}`)
  }
  if (!multilingual && task === 'translate') {
    const problem = { code: 'unsupported_task', detail: `${only} and cannot translate; ${instead}.` } as const
    return at.task === undefined
      ? wrong(problem, '/task', `is beyond the model ${found}`)
      : wrong(problem, at.task, 'must be one that can translate')
  }
  return model
}

/** What is wrong with them; null: nothing. */
export async function checkModelFields(...asked: Parameters<typeof findModel>): Promise<Problem | null> {
  const model = await findModel(...asked)
  return model.ok ? null : model.failure
}

export const NO_MODEL = 'names no model; GET /models/status lists them'

type ModelInForm = {
  model: string | undefined
  language: string | null
  task?: Task | undefined
  /** where names are not only ours: the one that is meant; null is the preferred model */
  meant?: (name: string | undefined) => Promise<string | null>
}

/**
 * The same for a form as it comes in. A model may stand after the file, so none is taken as the default before
 * the form is whole, and none in the place of one that the schema refuses.
 */
export async function checkModelInForm(
  models: FindsModels,
  { model, language, task = 'transcribe', meant = async (name) => name ?? null }: ModelInForm,
  { whole, faulty, at }: FormStage & { at: ModelFieldsAt },
): Promise<Problem | null> {
  if (model === undefined && (!whole || faulty.has(at.model.slice(1)))) return null
  return checkModelFields(models, { model: await meant(model), language, task }, at)
}

/** For a model that is only named for later, such as in a setting: it must exist, and need not be installed. */
export async function modelFault(
  models: FindsModels,
  name: string | null | undefined,
): Promise<Problem | null> {
  const found = name ? await models.resolve(name) : null
  if (found === null || found.ok || found.failure.code !== 'unknown_model') return null
  return faultOf({ in: 'body', path: '/stt_model', message: NO_MODEL })
}
