import { Type } from '@sinclair/typebox'
import type { ModelKeeper } from '../../models/model-keeper.ts'
import { failureResponse } from '../contract/failure.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { modelMessage, modelParams } from './schema.ts'

export type ModelLoadingDeps = { modelKeeper: ModelKeeper }

const LoadedSchema = modelMessage(
  { load_ms: Type.Integer({ minimum: 0, description: '0 if the model was already loaded' }) },
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
      description:
        'Waits until the engine has loaded the model. Audio windows that are being transcribed are finished first.',
      tag: 'models',
      params: modelParams,
      responses: { 200: { description: 'The model is loaded', content: loadedContent } },
      problems: ['model_not_found', ...LOAD_PROBLEMS],
    },
    async (request, { params: { name } }) => {
      const loaded = await keeper.load(name, request.signal)
      if (loaded.ok) return loadedResponse(loaded.value)
      const { code, message } = loaded.failure
      // The name is part of the path, so an unknown model is a 404.
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
      description: "The form that Voicebox's clients use.",
      tag: 'models',
      query: strictObject({
        model_size: Type.Optional(
          text({
            description: 'same values as `model`; default: the model that is used when a request names none',
            minLength: 1,
            maxLength: 100,
          }),
        ),
      }),
      responses: { 200: { description: 'The model is loaded', content: loadedContent } },
      problems: ['unknown_model', ...LOAD_PROBLEMS],
    },
    async (request, { query }) => {
      const loaded = await keeper.load(query.model_size ?? null, request.signal)
      return loaded.ok ? loadedResponse(loaded.value) : failureResponse(loaded.failure)
    },
  )

const loadedResponse = ({ name, loadMs }: { name: string; loadMs: number }) =>
  Response.json({ message: `${name} is loaded.`, model_name: name, load_ms: loadMs })
