// What can be done with the models that are here: load, unload, delete.
// Refusing what would disturb a recording is the model keeper's.

import { Type } from '@sinclair/typebox'
import type { ModelKeeper } from '../models/model-keeper.ts'
import { failureResponse } from './failure.ts'
import { MessageSchema, modelMessage, modelParams } from './model-schema.ts'
import { problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { strictObject, text } from './schema.ts'

export type ModelLoadingDeps = { modelKeeper: ModelKeeper }

export const modelLoadingRoutes = ({ modelKeeper }: ModelLoadingDeps): Route[] => [
  loadRoute(modelKeeper),
  loadAnyRoute(modelKeeper),
  unloadRoute(modelKeeper),
  unloadAnyRoute(modelKeeper),
  deleteRoute(modelKeeper),
]

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

const messageContent = (message: string) => ({
  'application/json': { schema: MessageSchema, example: { message, model_name: 'base-q5_1' } },
})

const LOAD_PROBLEMS = [
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const

const loadRoute = (keeper: ModelKeeper) =>
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

const loadAnyRoute = (keeper: ModelKeeper) =>
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

const unloadRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/{name}/unload',
      operationId: 'unloadModel',
      summary: 'Unload a model',
      description: 'Gives its memory back; the file stays. Nothing happens where it is not loaded.',
      tag: 'models',
      params: modelParams,
      responses: {
        200: { description: 'It is not loaded', content: messageContent('base-q5_1 is unloaded.') },
      },
      problems: ['model_not_found', 'model_in_use'],
    },
    async (_request, { params: { name } }) => {
      const unloaded = await keeper.unload(name)
      if (!unloaded.ok) return failureResponse(unloaded.failure)
      const message = unloaded.value ? `${name} is unloaded.` : `${name} was not loaded.`
      return Response.json({ message, model_name: name })
    },
  )

const unloadAnyRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/unload',
      operationId: 'unloadAnyModel',
      summary: 'Unload whichever model is loaded',
      description: 'Gives the memory of the engine back.',
      tag: 'models',
      responses: {
        200: {
          description: 'No model is loaded',
          content: {
            'application/json': {
              schema: strictObject({ message: Type.String() }, { $id: 'Message' }),
              example: { message: 'base-q5_1 is unloaded.' },
            },
          },
        },
      },
      problems: ['model_in_use'],
    },
    async () => {
      const unloaded = await keeper.unloadAny()
      if (!unloaded.ok) return failureResponse(unloaded.failure)
      const message = unloaded.value === null ? 'No model was loaded.' : `${unloaded.value} is unloaded.`
      return Response.json({ message })
    },
  )

const deleteRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/models/{name}',
      operationId: 'deleteModel',
      summary: 'Delete a model',
      description:
        'Removes the file, and what there is of an unfinished download. A loaded model is unloaded first; one that a recording is being transcribed with is refused.',
      tag: 'models',
      params: modelParams,
      responses: {
        200: { description: 'It is gone', content: messageContent('base-q5_1 was deleted.') },
      },
      problems: ['model_not_found', 'model_in_use', 'model_is_bundled'],
    },
    async (_request, { params: { name } }) => {
      const removed = await keeper.remove(name)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `${removed.value} was deleted.`, model_name: removed.value })
    },
  )
