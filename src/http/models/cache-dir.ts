import { Type } from '@sinclair/typebox'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'

export const modelsFolderRoute = ({ folders }: { folders: { models: string } }) =>
  defineRoute(
    {
      method: 'GET',
      path: '/models/cache-dir',
      operationId: 'getModelsFolder',
      summary: 'Get the models folder',
      description: 'The folder is set with DICTATION_MODELS_DIR.',
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
