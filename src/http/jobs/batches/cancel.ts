import type { Batches } from '../../../jobs/batches.ts'
import { problemResponse } from '../../contract/problem.ts'
import { defineRoute } from '../../contract/route.ts'
import { batchNotFound, batchParams, oneBatch } from './address.ts'
import { wireBatchDetail } from './schema.ts'

export const cancelBatchRoute = (batches: Batches) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/jobs/batches/{id}',
      operationId: 'cancelBatch',
      summary: 'Cancel the rest of a batch',
      description: 'Finished items stay as they are. Running items are stopped, and the rest is not started.',
      tag: 'jobs',
      params: batchParams,
      responses: { 200: { description: 'The cancelled batch', content: oneBatch } },
      problems: ['batch_not_found', 'batch_finished', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await batches.cancel(params.id)
      const batch = await batches.get(params.id)
      if (batch === null) return problemResponse(batchNotFound(params.id))
      if (cancelled) return Response.json(wireBatchDetail(batch))
      return problemResponse({ code: 'batch_finished', detail: `The batch is already ${batch.state}.` })
    },
  )
