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
      description: 'Returns the progress, the estimated time and some of the errors.',
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
