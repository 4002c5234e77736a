// What a request may ask of a model, checked before anyone looks at its audio.
// Which models there are, and which is best, the model store knows.

import type { Task } from '../engine/engine.ts'
import type { ModelStore } from '../models/store.ts'
import { problemOf } from './failure.ts'
import type { Problem } from './problem.ts'
import { text } from './schema.ts'

export type FindsModels = Pick<ModelStore, 'resolve'>

export type ModelFields = {
  model: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  task: Task
}

export const modelField = text({
  description:
    'such as `base`, `whisper-base`, `base.en` or `base.en-q5_1`; not given: the best installed one',
  minLength: 1,
  maxLength: 100,
})

/** Null when the model is there and can do what is asked. */
export async function checkModelFields(
  models: FindsModels,
  { model: name, language, task }: ModelFields,
): Promise<Problem | null> {
  const model = await models.resolve(name)
  if (!model.ok) return problemOf(model.failure)
  if (model.value.multilingual) {
    if (language !== 'yue' || model.value.knowsCantonese) return null
    const detail = `The model ${model.value.name} does not know Cantonese ("yue"); large-v3 and large-v3-turbo do.`
    return { code: 'unsupported_language', detail }
  }
  const only = `The model ${model.value.name} knows only English`
  const instead = 'ask for a multilingual one (GET /models/status lists them)'
  if (language !== null && language !== 'en') {
    return { code: 'unsupported_language', detail: `${only}; for "${language}" ${instead}.` }
  }
  if (task === 'translate') {
    return { code: 'unsupported_task', detail: `${only} and cannot translate; ${instead}.` }
  }
  return null
}

/**
 * The same for a form as it comes in. A model may stand after the file, so none is taken as the default before
 * the form is whole.
 */
export async function checkModelInForm(
  models: FindsModels,
  {
    model,
    language,
    task = 'transcribe',
  }: { model: string | undefined; language: string | null; task?: Task | undefined },
  { whole }: { whole: boolean },
): Promise<Problem | null> {
  if (model === undefined && !whole) return null
  return checkModelFields(models, { model: model ?? null, language, task })
}
