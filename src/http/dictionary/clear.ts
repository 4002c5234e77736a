import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { STORE_PROBLEMS } from './entry.ts'

export const clearDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/dictionary',
      operationId: 'clearDictionary',
      summary: 'Delete all entries',
      description:
        'Deletes all entries permanently. Requires `confirm=true`. To be able to restore them, export them first.',
      tag: 'dictionary',
      query: strictObject({
        confirm: oneOf(['true'], { description: 'confirms that all entries should be deleted' }),
      }),
      responses: {
        200: {
          description: 'All entries are deleted',
          content: {
            'application/json': {
              schema: strictObject(
                { message: Type.String(), deleted: Type.Integer({ minimum: 0 }) },
                { $id: 'DictionaryCleared' },
              ),
              example: { message: '12 dictionary entries deleted', deleted: 12 },
            },
          },
        },
      },
      problems: STORE_PROBLEMS,
    },
    async () => {
      const deleted = await dictionary.clear()
      return Response.json({ message: `${deleted} dictionary entries deleted`, deleted })
    },
  )
