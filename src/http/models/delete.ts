// DELETE /models/{name}: the file of a model goes, and what there is of an unfinished download.
// Refusing what would disturb a recording is the model keeper’s.

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
        'Removes the file, and what there is of an unfinished download. A loaded model is unloaded first; one that a recording is being transcribed with is refused.',
      tag: 'models',
      params: modelParams,
      responses: {
        200: { description: 'It is gone', content: modelMessageContent('base-q5_1 was deleted.') },
      },
      problems: ['model_not_found', 'model_in_use', 'model_is_bundled'],
    },
    async (_request, { params: { name } }) => {
      const removed = await keeper.remove(name)
      if (!removed.ok) return failureResponse(removed.failure)
      return Response.json({ message: `${removed.value} was deleted.`, model_name: removed.value })
    },
  )
