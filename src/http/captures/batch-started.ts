// The response of a route that starts work on many captures.

import { type Static, Type } from '@sinclair/typebox'
import type { Batch } from '../../jobs/batches.ts'
import { uuid } from '../../lib/schema.ts'
import { strictObject } from '../contract/schema.ts'
import { warningExample, warningsField } from '../fields/warnings.ts'
import { batchExample } from '../jobs/batches/schema.ts'

export const BatchStartedSchema = strictObject(
  {
    batch_id: uuid(),
    queued: Type.Integer({ minimum: 0, description: 'captures that will be processed' }),
    skipped: Type.Integer({ minimum: 0, description: 'captures that need no work or no longer exist' }),
    status_url: Type.String({ description: 'URL that reports the progress' }),
    warnings: warningsField,
  },
  { $id: 'BatchBegun' },
)

export const batchStarted = {
  description: 'The work runs in the background and continues after a restart of the server',
  headers: { Location: 'URL of the batch' },
  content: {
    'application/json': {
      schema: BatchStartedSchema,
      example: {
        batch_id: batchExample.id,
        queued: 118,
        skipped: 2,
        status_url: `/jobs/batches/${batchExample.id}`,
        warnings: [warningExample],
      } satisfies Static<typeof BatchStartedSchema>,
    },
  },
}

export function batchStartedResponse(
  { id, counts }: Batch,
  warnings: Static<typeof warningsField>,
): Response {
  const location = `/jobs/batches/${id}`
  const { waiting: queued, skipped } = counts
  const body: Static<typeof BatchStartedSchema> = {
    batch_id: id,
    queued,
    skipped,
    status_url: location,
    warnings,
  }
  return Response.json(body, { status: 202, headers: { location } })
}
