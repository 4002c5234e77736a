import type { Batches } from '../../jobs/batches.ts'
import type { Fault } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { batchStarted, batchStartedResponse } from './batch-started.ts'
import { captureExample } from './schema.ts'
import { resolveSelection, selectionFields } from './selection-schema.ts'

/** `JSON.stringify` omits undefined values, so a bug in a client can send an empty filter; deletion is final. */
function tooWide(filter: Record<string, unknown>): Fault[] {
  const { trashed = false, tz: _narrowsNothing, ...narrowing } = filter
  return trashed !== false || Object.keys(narrowing).length > 0 ? [] : [TOO_WIDE]
}

const TOO_WIDE: Fault = {
  in: 'body',
  path: '/filter',
  message: 'matches every capture; to delete all of them, set since to 1970-01-01',
}

const DeleteManySchema = strictObject(selectionFields, { $id: 'DeleteManyRequest' })

export const deleteManyRoute = ({ batches }: { batches: Batches }) =>
  defineRoute(
    {
      method: 'POST',
      path: '/captures/delete',
      operationId: 'deleteCaptures',
      summary: 'Delete many captures',
      description:
        'Permanently deletes recordings and texts, one capture after another. The filter is evaluated once, when the request arrives. Jobs of these captures are cancelled. A filter that matches every capture is rejected; to delete everything, send `{"filter": {"since": "1970-01-01"}}`.',
      tag: 'captures',
      body: {
        kind: 'json',
        schema: DeleteManySchema,
        example: { ids: [captureExample.id] },
      },
      resolve: (sent) => resolveSelection(sent, tooWide),
      responses: { 202: batchStarted },
    },
    async (_request, { found: which }) => batchStartedResponse(await batches.remove(which), []),
  )
