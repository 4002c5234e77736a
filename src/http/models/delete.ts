import type { ModelKeeper } from '../../models/model-keeper.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute } from '../contract/route.ts'
import { modelMessageContent, modelParams } from './schema.ts'

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
      responses: {
        200: { description: 'The model is deleted', content: modelMessageContent('base-q5_1 was deleted.') },
      },
      problems: ['model_not_found', 'model_in_use', 'model_is_bundled'],
    },
    async (_request, { params: { name } }) => {
      const removed = await keeper.remove(name)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `${removed.value} was deleted.`, model_name: removed.value })
    },
  )
