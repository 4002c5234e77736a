// GET /jobs/batches, GET and DELETE /jobs/batches/{id}: how far work on many captures is, and an end to it.
// Beginning one is capture-bulk.ts.

import type { Batches } from '../jobs/batches.ts'
import {
  BatchDetailSchema,
  BatchSchema,
  batchDetailExample,
  batchExample,
  wireBatch,
  wireBatchDetail,
} from './batch-schema.ts'
import { type Problem, problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { listOf, pageQuery, strictObject, uuid } from './schema.ts'

const batchParams = strictObject({ id: uuid({ description: 'of the batch' }) })

const batchNotFound = (id: string): Problem => ({
  code: 'batch_not_found',
  detail: `There is no batch ${id}.`,
})

const oneBatch = { 'application/json': { schema: BatchDetailSchema, example: batchDetailExample } }

export const batchRoutes = (batches: Batches): Route[] => [
  listRoute(batches),
  getRoute(batches),
  cancelRoute(batches),
]

const listRoute = (batches: Batches) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/batches',
      operationId: 'listBatches',
      summary: 'List batches',
      description: 'Newest first. A batch is forgotten thirty days after its end.',
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

const getRoute = (batches: Batches) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/batches/{id}',
      operationId: 'getBatch',
      summary: 'Get one batch',
      description: 'How far it is, what it will take, and some of what could not be done.',
      tag: 'jobs',
      params: batchParams,
      responses: { 200: { description: 'The batch', content: oneBatch } },
      problems: ['batch_not_found'],
    },
    async (_request, { params }) => {
      const batch = await batches.get(params.id)
      return batch === null
        ? problemResponse(batchNotFound(params.id))
        : Response.json(wireBatchDetail(batch))
    },
  )

const cancelRoute = (batches: Batches) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/jobs/batches/{id}',
      operationId: 'cancelBatch',
      summary: 'Cancel the rest of a batch',
      description: 'What is done stays done; what is under way is stopped, and the rest is not begun.',
      tag: 'jobs',
      params: batchParams,
      responses: { 200: { description: 'The batch, cancelled', content: oneBatch } },
      problems: ['batch_not_found', 'batch_finished', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await batches.cancel(params.id)
      const batch = await batches.get(params.id)
      if (batch === null) return problemResponse(batchNotFound(params.id))
      if (cancelled) return Response.json(wireBatchDetail(batch))
      return problemResponse({ code: 'batch_finished', detail: `The batch is ${batch.state} already.` })
    },
  )
