import type { ModelKeeper } from '../../models/model-keeper.ts'
import { failureResponse } from '../contract/failure.ts'
import { messageContent } from '../contract/message.ts'
import { defineRoute } from '../contract/route.ts'
import { modelMessageContent, modelParams } from './schema.ts'

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
      responses: {
        200: {
          description: 'The model is not loaded',
          content: modelMessageContent('base-q5_1 is unloaded.'),
        },
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

export const unloadAnyModelRoute = (keeper: ModelKeeper) =>
  defineRoute(
    {
      method: 'POST',
      path: '/models/unload',
      operationId: 'unloadAnyModel',
      summary: 'Unload the loaded model',
      description: 'Releases the memory of the engine.',
      tag: 'models',
      responses: {
        200: {
          description: 'No model is loaded',
          content: messageContent('base-q5_1 is unloaded.'),
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
