// POST /models/{name}/load and /models/load: the engine takes a model into memory.
// Which model is taken where none is named is src/models.

import { Type } from '@sinclair/typebox'
import type { ModelKeeper } from '../../models/model-keeper.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { modelMessage, modelParams } from './schema.ts'

export type ModelLoadingDeps = { modelKeeper: ModelKeeper }

const LoadedSchema = modelMessage(
  { load_ms: Type.Integer({ minimum: 0, description: '0 where it was loaded already' }) },
  'ModelLoaded',
)

const loadedContent = {
  'application/json': {
    schema: LoadedSchema,
    example: { message: 'base-q5_1 is loaded.', model_name: 'base-q5_1', load_ms: 180 },
  },
}

const LOAD_PROBLEMS = [
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const

export const loadModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/{name}/load',
      operationId: 'loadModel',
      summary: 'Load a model',
      description: 'Waits until the engine has it; windows that are being transcribed come first.',
      tag: 'models',
      params: modelParams,
      responses: { 200: { description: 'It is loaded', content: loadedContent } },
      problems: ['model_not_found', ...LOAD_PROBLEMS],
    },
    async (request, { params: { name } }) => {
      const loaded = await keeper.load(name, request.signal)
      if (loaded.ok) return loadedResponse(loaded.value)
      const { code, message } = loaded.failure
      // In a path a name is an address, so what nobody has heard of is not found.
      if (code === 'unknown_model') return problemResponse({ code: 'model_not_found', detail: message })
      return failureResponse(loaded.failure)
    },
  )

export const loadAnyModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/load',
      operationId: 'loadAnyModel',
      summary: 'Load a model by size',
      description: "As Voicebox's clients ask for it.",
      tag: 'models',
      query: strictObject({
        model_size: Type.Optional(
          text({
            description: 'as `model` takes it; not given: the one that is taken where none is asked for',
            minLength: 1,
            maxLength: 100,
          }),
        ),
      }),
      responses: { 200: { description: 'It is loaded', content: loadedContent } },
      problems: ['unknown_model', ...LOAD_PROBLEMS],
    },
    async (request, { query }) => {
      const loaded = await keeper.load(query.model_size ?? null, request.signal)
      return loaded.ok ? loadedResponse(loaded.value) : failureResponse(loaded.failure)
    },
  )

const loadedResponse = ({ name, loadMs }: { name: string; loadMs: number }) =>
  Response.json({ message: `${name} is loaded.`, model_name: name, load_ms: loadMs })
