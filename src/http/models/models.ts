import { Type } from '@sinclair/typebox'
import type { ModelKeeper } from '../../models/model-keeper.ts'
import { failureResponse, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, messageContent, ok } from '../kernel/route.ts'
import { strictObject, text } from '../kernel/schema.ts'
import { modelMessage, modelMessageContent, modelParams } from './schema.ts'

export type ModelLoadingDeps = { modelKeeper: ModelKeeper }

const LoadedSchema = modelMessage(
  { load_ms: Type.Integer({ minimum: 0, description: '0 if the model was already loaded' }) },
  'ModelLoaded',
)

const loadedContent = jsonContent(LoadedSchema, {
  message: 'base-q5_1 is loaded.',
  model_name: 'base-q5_1',
  load_ms: 180,
})

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
      responses: ok('The model is loaded', loadedContent),
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
      responses: ok('The model is loaded', loadedContent),
      problems: ['unknown_model', ...LOAD_PROBLEMS],
    },
    async (request, { query }) => {
      const loaded = await keeper.load(query.model_size ?? null, request.signal)
      return loaded.ok ? loadedResponse(loaded.value) : failureResponse(loaded.failure)
    },
  )

const loadedResponse = ({ name, loadMs }: { name: string; loadMs: number }) =>
  Response.json({ message: `${name} is loaded.`, model_name: name, load_ms: loadMs })

export const unloadModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/{name}/unload',
      operationId: 'unloadModel',
      summary: 'Unload a model',
      description: 'Releases its memory; the file stays. Does nothing if the model is not loaded.',
      tag: 'models',
      params: modelParams,
      responses: ok('The model is not loaded', modelMessageContent('base-q5_1 is unloaded.')),
      problems: ['model_not_found', 'model_in_use'],
    },
    async (_request, { params: { name } }) => {
      const unloaded = await keeper.unload(name)
      if (!unloaded.ok) return failureResponse(unloaded.failure)
      const message = unloaded.value ? `${name} is unloaded.` : `${name} was not loaded.`
      return Response.json({ message, model_name: name })
    },
  )

export const unloadAnyModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/unload',
      operationId: 'unloadAnyModel',
      summary: 'Unload the loaded model',
      description: 'Releases the memory of the engine.',
      tag: 'models',
      responses: ok('No model is loaded', messageContent('base-q5_1 is unloaded.')),
      problems: ['model_in_use'],
    },
    async () => {
      const unloaded = await keeper.unloadAny()
      if (!unloaded.ok) return failureResponse(unloaded.failure)
      const message = unloaded.value === null ? 'No model was loaded.' : `${unloaded.value} is unloaded.`
      return Response.json({ message })
    },
  )

export const deleteModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/models/{name}',
      operationId: 'deleteModel',
      summary: 'Delete a model',
      description:
        'Removes the file and the partial file of an unfinished download. A loaded model is unloaded first. If the model is transcribing a recording, the request is rejected.',
      tag: 'models',
      params: modelParams,
      responses: ok('The model is deleted', modelMessageContent('base-q5_1 was deleted.')),
      problems: ['model_not_found', 'model_in_use', 'model_is_bundled'],
    },
    async (_request, { params: { name } }) => {
      const removed = await keeper.remove(name)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `${removed.value} was deleted.`, model_name: removed.value })
    },
  )

export const modelsFolderRoute = ({ folders }: { folders: { models: string } }) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/cache-dir',
      operationId: 'getModelsFolder',
      summary: 'Get the models folder',
      description: 'The folder is set with DICTATION_MODELS_DIR.',
      tag: 'models',
      responses: ok(
        'The folder',
        jsonContent(strictObject({ path: Type.String() }, { $id: 'ModelsFolder' }), {
          path: '/home/ada/.local/share/local-dictation/models',
        }),
      ),
    },
    () => Response.json({ path: folders.models }),
  )
