// What a request may ask of a model, checked before anyone looks at its audio.
// Which models there are, and which is best, the model store knows.

import type { ModelFile, Task } from '../engine/engine.ts'
import type { Result } from '../lib/result.ts'
import { problemOf } from './failure.ts'
import type { Problem } from './problem.ts'
import { text } from './schema.ts'

export type ModelStore = {
  /** null: the best that is installed */
  resolve(name: string | null): Promise<Result<ModelFile, { code: string; message: string }>>
}

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
  models: ModelStore,
  { model: name, language, task }: ModelFields,
): Promise<Problem | null> {
  const model = await models.resolve(name)
  if (!model.ok) return problemOf(model.failure)
  if (model.value.multilingual) return null
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
