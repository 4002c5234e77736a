// GET /models/cache-dir: where the models lie.
// What lies there is status.ts.

import { Type } from '@sinclair/typebox'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'

export const modelsFolderRoute = ({ folders }: { folders: { models: string } }) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/cache-dir',
      operationId: 'getModelsFolder',
      summary: 'Where the models lie',
      description: 'The folder that DICTATION_MODELS_DIR names.',
      tag: 'models',
      responses: {
        200: {
          description: 'The folder',
          content: {
            'application/json': {
              schema: strictObject({ path: Type.String() }, { $id: 'ModelsFolder' }),
              example: { path: '/home/ada/.local/share/local-dictation/models' },
            },
          },
        },
      },
    },
    () => Response.json({ path: folders.models }),
  )
