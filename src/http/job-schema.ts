// A job on the wire, and the mapping from the domain's own.
// How it is delivered is nobody's business here.

import { type Static, Type } from '@sinclair/typebox'
import { JOB_KINDS, JOB_STATES, type Job } from '../jobs/job.ts'
import { CaptureErrorSchema, captureExample } from './capture-schema.ts'
import { dateTime, nullable, oneOf, strictObject, uuid } from './schema.ts'

export const JobSchema = strictObject(
  {
    id: uuid(),
    kind: oneOf(JOB_KINDS),
    capture_id: uuid(),
    state: oneOf(JOB_STATES),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    attempts: Type.Integer({ minimum: 0, description: 'how often it was started' }),
    error: nullable(CaptureErrorSchema),
    created_at: dateTime(),
    started_at: nullable(dateTime()),
    finished_at: nullable(dateTime()),
  },
  { $id: 'Job', description: 'One piece of queued work on one capture.' },
)

export const wireJob = (job: Job): Static<typeof JobSchema> => ({
  id: job.id,
  kind: job.kind,
  capture_id: job.captureId,
  state: job.state,
  progress: job.progress,
  attempts: job.attempts,
  error: job.error,
  created_at: job.createdAt.toISOString(),
  started_at: job.startedAt?.toISOString() ?? null,
  finished_at: job.finishedAt?.toISOString() ?? null,
})

export const jobExample: Static<typeof JobSchema> = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c12',
  kind: 'retranscribe',
  capture_id: captureExample.id,
  state: 'active',
  progress: 0.4,
  attempts: 1,
  error: null,
  created_at: captureExample.created_at,
  started_at: captureExample.created_at,
  finished_at: null,
}
