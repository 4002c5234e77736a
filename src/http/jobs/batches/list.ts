import type { Batches } from '../../../jobs/batches.ts'
import { defineRoute } from '../../contract/route.ts'
import { listOf, pageQuery, strictObject } from '../../contract/schema.ts'
import { BatchSchema, batchExample, wireBatch } from './schema.ts'

export const listBatchesRoute = (batches: Batches) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/batches',
      operationId: 'listBatches',
      summary: 'List batches',
      description: 'Newest first. A batch is deleted thirty days after its end.',
      tag: 'jobs',
      query: strictObject(pageQuery),
      responses: {
        200: {
          description: 'One page of batches',
          content: {
            'application/json': {
              schema: listOf(BatchSchema, { $id: 'BatchList' }),
              example: { items: [batchExample], total: 1 },
            },
          },
        },
      },
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const { items, total } = await batches.list({ limit, offset })
      return Response.json({ items: items.map(wireBatch), total })
    },
  )
