// The response of a route that queues a job for a capture: the capture if the job ends in time, else the job's URL.

import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { uuid } from '../../lib/schema.ts'
import { uniqueWarnings, type Warning } from '../../lib/warning.ts'
import { failureResponse } from '../contract/failure.ts'
import type { ResponseContract } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { timeoutMsOf, type waitQuery } from '../fields/wait.ts'
import { warningExample, warningsField } from '../fields/warnings.ts'
import { captureExample, RetranscribedCaptureSchema, segmentExample, wireCaptureDetail } from './schema.ts'

export const QueuedSchema = strictObject(
  {
    job_id: uuid(),
    status_url: Type.String({ description: 'URL that reports the progress' }),
    warnings: warningsField,
  },
  { $id: 'QueuedJob' },
)

export const jobResponses: Record<number, ResponseContract> = {
  200: {
    description: 'The job has ended; the body is the capture as it is now',
    content: {
      'application/json': {
        schema: RetranscribedCaptureSchema,
        example: { ...captureExample, segments: [segmentExample], warnings: [warningExample] },
      },
    },
  },
  202: {
    description: 'The job is still waiting or running',
    headers: { Location: 'URL of the job' },
    content: {
      'application/json': {
        schema: QueuedSchema,
        example: {
          job_id: captureExample.id,
          status_url: `/jobs/${captureExample.id}`,
          warnings: [warningExample],
        },
      },
    },
  },
}

const DEFAULT_WAIT_MS = 30_000

export type JobAnswerDeps = {
  captures: Captures
  jobs: Jobs
  /** ends the wait when the server stops; the job continues after the next start */
  shutdown: AbortSignal
}

type Queued = {
  request: Request
  wait: Static<typeof waitQuery>['wait']
  captureId: string
  jobId: string
  warnings: Warning[]
}

export async function answerWhenDone(
  { captures, jobs, shutdown }: JobAnswerDeps,
  { request, wait, captureId, jobId, warnings }: Queued,
): Promise<Response> {
  const timeoutMs = timeoutMsOf(request, wait, DEFAULT_WAIT_MS)
  const signal = AbortSignal.any([request.signal, shutdown])
  const ending = await jobs.wait(jobId, { timeoutMs, signal })
  const now = ending?.capture ?? (await captures.get(captureId))
  if (now === null) return failureResponse(captureNotFound(captureId))
  if (ending !== null)
    return Response.json({ ...wireCaptureDetail(now), warnings: uniqueWarnings(warnings, ending.warnings) })
  const location = `/jobs/${jobId}`
  const queuedJob = { job_id: jobId, status_url: location, warnings }
  return Response.json(queuedJob, { status: 202, headers: { location } })
}
