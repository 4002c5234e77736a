import { type Static, Type } from '@sinclair/typebox'
import {
  BATCH_KINDS,
  BATCH_STATES,
  type Batch,
  type BatchDetail,
  type Batches,
  type BatchPlan,
} from '../../jobs/batches.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { EXAMPLE_CAPTURE } from '../fields/segment.ts'
import { type Problem, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { dateTime, listOf, pageQuery, strictObject } from '../kernel/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const maybeText = (description: string) => nullable(Type.String(), { description })
const maybeNumber = (description: string) => nullable(Type.Number({ minimum: 0 }), { description })

const fields = {
  id: uuid(),
  kind: oneOf(BATCH_KINDS),
  state: oneOf(BATCH_STATES),
  model: maybeText('the model that transcribes; null if the batch does not transcribe'),
  language: maybeText('the requested language; null: the language requested for each capture'),
  total: count('captures in the batch'),
  waiting: count('captures not started yet'),
  queued: count('captures in progress or next in line'),
  completed: count('captures that succeeded'),
  failed: count('captures that failed and keep their earlier state'),
  skipped: count('captures that needed no work or no longer exist'),
  canceled: count('captures not processed because the batch or their job was cancelled'),
  created_at: dateTime(),
  finished_at: nullable(dateTime()),
}

export const BatchSchema = strictObject(fields, {
  $id: 'Batch',
  description: 'Work on many captures, with its progress.',
})

export const BatchDetailSchema = strictObject(
  {
    ...fields,
    estimate_seconds: maybeNumber('remaining time at the measured speed'),
    errors: Type.Array(
      strictObject(
        { capture_id: uuid(), code: Type.String(), message: Type.String() },
        { $id: 'BatchError' },
      ),
      {
        maxItems: 20,
        description:
          'some captures that were not processed, with reasons; captures that needed no work are omitted',
      },
    ),
  },
  { $id: 'BatchDetail' },
)

export const BatchPlanSchema = strictObject(
  {
    total: count('captures that the request selects'),
    to_do: count('captures that would be processed'),
    skipped: count('captures that need no work or no longer exist'),
    audio_seconds: Type.Number({
      minimum: 0,
      description: 'length of the audio to process, as far as known',
    }),
    real_time_factor: maybeNumber('seconds of work per second of audio, from recent measurements'),
    measured_with: nullable(oneOf(['this_model', 'other_models']), {
      description: 'the models that the speed was measured with; null if nothing was measured yet',
    }),
    estimate_seconds: maybeNumber('estimated time for the whole batch'),
  },
  { $id: 'BatchPlan', description: 'A preview of a batch.' },
)

function wireBatch(batch: Batch): Static<typeof BatchSchema> {
  const { id, kind, state, total, counts, retranscription } = batch
  return {
    id,
    kind,
    state,
    model: retranscription?.model ?? null,
    language: retranscription?.language ?? null,
    total,
    ...counts,
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
  }
}

const wireBatchDetail = (batch: BatchDetail): Static<typeof BatchDetailSchema> => ({
  ...wireBatch(batch),
  estimate_seconds: batch.estimateSeconds,
  errors: batch.errors.map(({ captureId, code, message }) => ({ capture_id: captureId, code, message })),
})

export const wirePlan = (plan: BatchPlan): Static<typeof BatchPlanSchema> => ({
  total: plan.total,
  to_do: plan.toDo,
  skipped: plan.skipped,
  audio_seconds: plan.audioSeconds,
  real_time_factor: plan.realTimeFactor,
  measured_with: plan.measuredWith,
  estimate_seconds: plan.estimateSeconds,
})

export const batchExample: Static<typeof BatchSchema> = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c13',
  kind: 'retranscribe',
  state: 'running',
  model: 'base-q5_1',
  language: null,
  total: 120,
  waiting: 80,
  queued: 1,
  completed: 36,
  failed: 1,
  skipped: 2,
  canceled: 0,
  created_at: EXAMPLE_CAPTURE.createdAt,
  finished_at: null,
}

const batchDetailExample: Static<typeof BatchDetailSchema> = {
  ...batchExample,
  estimate_seconds: 940,
  errors: [
    {
      capture_id: EXAMPLE_CAPTURE.id,
      code: 'audio_gone',
      message: 'The audio of this capture is gone; only its text is left.',
    },
  ],
}

const batchParams = strictObject({ id: uuid({ description: 'ID of the batch' }) })

const batchNotFound = (id: string): Problem => ({
  code: 'batch_not_found',
  detail: `There is no batch ${id}.`,
})

const oneBatch = jsonContent(BatchDetailSchema, batchDetailExample)

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
      responses: ok(
        'One page of batches',
        jsonContent(listOf(BatchSchema, { $id: 'BatchList' }), { items: [batchExample], total: 1 }),
      ),
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const { items, total } = await batches.list({ limit, offset })
      return Response.json({ items: items.map(wireBatch), total })
    },
  )

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
      responses: ok('The batch', oneBatch),
      problems: ['batch_not_found'],
    },
    async (_request, { params }) => {
      const batch = await batches.get(params.id)
      return batch === null
        ? problemResponse(batchNotFound(params.id))
        : Response.json(wireBatchDetail(batch))
    },
  )

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
      responses: ok('The cancelled batch', oneBatch),
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
