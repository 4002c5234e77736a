// POST /captures/delete: many captures are deleted for good, which goes on by itself.
// How far it is tells jobs/batches/get.ts; one capture is delete.ts.

import type { Batches } from '../../jobs/batches.ts'
import type { Fault } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { batchBegun, batchBegunResponse } from './batch-begun.ts'
import { meantFields, resolveMeant } from './meant.ts'
import { captureExample } from './schema.ts'

/** JSON leaves out what a client holds undefined, so that a slip becomes an empty filter; this cannot be taken back. */
function tooWide(filter: Record<string, unknown>): Fault[] {
  const { trashed = false, tz: _narrowsNothing, ...narrowing } = filter
  return trashed !== false || Object.keys(narrowing).length > 0 ? [] : [TOO_WIDE]
}

const TOO_WIDE: Fault = {
  in: 'body',
  path: '/filter',
  message: 'narrows nothing and would delete every capture; if that is meant, give since as 1970-01-01',
}

const DeleteManySchema = strictObject(meantFields, { $id: 'DeleteManyRequest' })

export const deleteManyRoute = ({ batches }: { batches: Batches }) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/delete',
      operationId: 'deleteCaptures',
      summary: 'Delete many captures',
      description:
        'For good, recordings and texts, one after the other. Which captures a filter means is settled at once; work on them is cancelled. A filter that narrows nothing is refused; to delete everything, say `{"filter": {"since": "1970-01-01"}}`.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: DeleteManySchema,
        example: { ids: [captureExample.id] },
      },
      resolve: (sent) => resolveMeant(sent, tooWide),
      responses: { 202: batchBegun },
    },
    async (_request, { found: which }) => batchBegunResponse(await batches.remove(which), []),
  )
