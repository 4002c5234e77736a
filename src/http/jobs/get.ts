import type { Jobs } from '../../jobs/jobs.ts'
import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import { jobNotFound, jobParams, oneJob } from './address.ts'
import { wireJob } from './schema.ts'

export const getJobRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/{id}',
      operationId: 'getJob',
      summary: 'Get one job',
      description: 'Returns the state, progress, attempts and error.',
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
