import { Type } from '@sinclair/typebox'
import { JobSchema as Job } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { uuid } from '../../lib/schema.ts'
import { defineRoute } from '../contract/route.ts'
import { listOf, pageQuery, strictObject } from '../contract/schema.ts'
import { JobWireSchema, jobExample, wireJob } from './schema.ts'

export const listJobsRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs',
      operationId: 'listJobs',
      summary: 'List jobs',
      description: 'Newest first.',
      tag: 'jobs',
      query: strictObject({
        state: Type.Optional(Job.properties.state),
        capture_id: Type.Optional(uuid()),
        ...pageQuery,
      }),
      responses: {
        200: {
          description: 'One page of jobs',
          content: {
            'application/json': {
              schema: listOf(JobWireSchema, { $id: 'JobList' }),
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
