// GET /jobs, GET and DELETE /jobs/{id}: what is queued, running and done.
// Making jobs belongs to captures.

import { Type } from '@sinclair/typebox'
import { JOB_STATES } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { JobSchema, jobExample, wireJob } from './job-schema.ts'
import { type Problem, problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { listOf, oneOf, pageQuery, strictObject, uuid } from './schema.ts'

const jobParams = strictObject({ id: uuid({ description: 'of the job' }) })

const jobNotFound = (id: string): Problem => ({ code: 'job_not_found', detail: `There is no job ${id}.` })

const oneJob = { 'application/json': { schema: JobSchema, example: jobExample } }

export const jobRoutes = (jobs: Jobs): Route[] => [listRoute(jobs), getRoute(jobs), cancelRoute(jobs)]

const listRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs',
      operationId: 'listJobs',
      summary: 'List jobs',
      description: 'Newest first.',
      tag: 'jobs',
      query: strictObject({
        state: Type.Optional(oneOf(JOB_STATES)),
        capture_id: Type.Optional(uuid()),
        ...pageQuery,
      }),
      responses: {
        200: {
          description: 'One page of jobs',
          content: {
            'application/json': {
              schema: listOf(JobSchema, { $id: 'JobList' }),
              example: { items: [jobExample], total: 1 },
            },
          },
        },
      },
    },
    async (_request, { query }) => {
      const { state, capture_id: captureId, limit = 50, offset = 0 } = query
      const { items, total } = await jobs.list({ state, captureId, limit, offset })
      return Response.json({ items: items.map(wireJob), total })
    },
  )

const getRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/{id}',
      operationId: 'getJob',
      summary: 'Get one job',
      description: 'Its state, progress, attempts and error.',
      tag: 'jobs',
      params: jobParams,
      responses: { 200: { description: 'The job', content: oneJob } },
      problems: ['job_not_found'],
    },
    async (_request, { params }) => {
      const job = await jobs.get(params.id)
      return job === null ? problemResponse(jobNotFound(params.id)) : Response.json(wireJob(job))
    },
  )

const cancelRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/jobs/{id}',
      operationId: 'cancelJob',
      summary: 'Cancel a job',
      description: 'A waiting or running job is stopped; the capture and its earlier transcript stay.',
      tag: 'jobs',
      params: jobParams,
      responses: { 200: { description: 'The job, cancelled', content: oneJob } },
      problems: ['job_not_found', 'job_finished', 'disk_full'],
    },
    async (_request, { params }) => {
      const cancelled = await jobs.cancel(params.id)
      const job = await jobs.get(params.id)
      if (job === null) return problemResponse(jobNotFound(params.id))
      if (cancelled) return Response.json(wireJob(job))
      return problemResponse({ code: 'job_finished', detail: `The job is ${job.state} already.` })
    },
  )
