// GET /jobs/batches/{id}: one batch, how far it is and what it will take.
// The jobs that it is made of are jobs/list.ts.

import type { Batches } from '../../../jobs/batches.ts'
import { problemResponse } from '../../contract/problem.ts'
import { defineRoute } from '../../contract/route.ts'
import { batchNotFound, batchParams, oneBatch } from './address.ts'
import { wireBatchDetail } from './schema.ts'

export const getBatchRoute = (batches: Batches) =>
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
