// A job as a client sees it: one piece of queued work on one capture. Its delivery is queue.ts.

import { type Static, Type } from '@sinclair/typebox'
import { jobs } from '../../db/schema.ts'
import { CaptureErrorSchema } from '../captures/capture.ts'
import { nullable, oneOf, uuid } from '../lib/schema.ts'

export const JobSchema = Type.Object({
  id: uuid(),
  kind: oneOf(jobs.kind.enumValues),
  captureId: uuid(),
  state: oneOf(jobs.state.enumValues),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempts: Type.Integer({ minimum: 0, description: 'how often it was started' }),
  error: nullable(CaptureErrorSchema),
  createdAt: Type.Date(),
  startedAt: nullable(Type.Date()),
  finishedAt: nullable(Type.Date()),
})
export type Job = Static<typeof JobSchema>
