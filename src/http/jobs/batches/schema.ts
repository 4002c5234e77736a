// Batches on the wire, and the mapping from the domain's own.
// Which captures a request means is captures/meant.ts.

import { type Static, Type } from '@sinclair/typebox'
import {
  BATCH_KINDS,
  BATCH_STATES,
  type Batch,
  type BatchDetail,
  type BatchPlan,
} from '../../../jobs/batches.ts'
import { nullable, oneOf, uuid } from '../../../lib/schema.ts'
import { dateTime, strictObject } from '../../contract/schema.ts'
import { EXAMPLE_CAPTURE } from '../../fields/example.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const maybeText = (description: string) => nullable(Type.String(), { description })
const maybeNumber = (description: string) => nullable(Type.Number({ minimum: 0 }), { description })

const fields = {
  id: uuid(),
  kind: oneOf(BATCH_KINDS),
  state: oneOf(BATCH_STATES),
  model: maybeText('that transcribes; null where nothing is transcribed'),
  language: maybeText('asked for; null is as each capture was asked for'),
  total: count('captures that were meant'),
  waiting: count('not begun'),
  queued: count('being worked on, or next'),
  completed: count('done'),
  failed: count('could not be done; what was there before is kept'),
  skipped: count('needed nothing, or are gone'),
  canceled: count('not done because the batch, or their job, was cancelled'),
  created_at: dateTime(),
  finished_at: nullable(dateTime()),
}

export const BatchSchema = strictObject(fields, {
  $id: 'Batch',
  description: 'Work on many captures, and how far it is.',
})

export const BatchDetailSchema = strictObject(
  {
    ...fields,
    estimate_seconds: maybeNumber('until it is done, at the speed that was measured'),
    errors: Type.Array(
      strictObject(
        { capture_id: uuid(), code: Type.String(), message: Type.String() },
        { $id: 'BatchError' },
      ),
      {
        maxItems: 20,
        description: 'some captures that were not done, and why; what needed nothing is not here',
      },
    ),
  },
  { $id: 'BatchDetail' },
)

export const BatchPlanSchema = strictObject(
  {
    total: count('captures that are meant'),
    to_do: count('that would be worked on'),
    skipped: count('that need nothing, or are gone'),
    audio_seconds: Type.Number({ minimum: 0, description: 'of those to be done, as far as it is known' }),
    real_time_factor: maybeNumber('seconds of work for each second of audio, as measured lately'),
    measured_with: nullable(oneOf(['this_model', 'other_models']), {
      description: 'whose speed it is; null where nothing was measured yet',
    }),
    estimate_seconds: maybeNumber('what it would take'),
  },
  { $id: 'BatchPlan', description: 'What a batch would do.' },
)

export function wireBatch(batch: Batch): Static<typeof BatchSchema> {
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

export const wireBatchDetail = (batch: BatchDetail): Static<typeof BatchDetailSchema> => ({
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

export const batchDetailExample: Static<typeof BatchDetailSchema> = {
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
