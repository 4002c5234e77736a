import type { Jobs } from '../../jobs/jobs.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { jobNotFound, jobParams, oneJob } from './address.ts'
import { wireJob } from './schema.ts'

export const cancelJobRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/jobs/{id}',
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      description: 'Stops a waiting or running job. The capture and its earlier transcript are kept.',
      tag: 'jobs',
      params: jobParams,
      responses: { 200: { description: 'The cancelled job', content: oneJob } },
      problems: ['job_not_found', 'job_finished', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await jobs.cancel(params.id)
      const job = await jobs.get(params.id)
      if (job === null) return problemResponse(jobNotFound(params.id))
      if (cancelled) return Response.json(wireJob(job))
      return problemResponse({ code: 'job_finished', detail: `The job is already ${job.state}.` })
    },
  )
