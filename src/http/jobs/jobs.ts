import { type Static, Type } from '@sinclair/typebox'
import { JobSchema as Job, type Jobs } from '../../jobs/jobs.ts'
import { ROLES } from '../../jobs/servers.ts'
import { oneOf, uuid } from '../../lib/schema.ts'
import { wireMapper, wireProperties } from '../../lib/schema-mapping.ts'
import { EXAMPLE_CAPTURE } from '../fields/segment.ts'
import { type Problem, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok } from '../kernel/route.ts'
import { dateTime, listOf, pageQuery, strictObject } from '../kernel/schema.ts'

export const JobWireSchema = strictObject(wireProperties(Job.properties), {
  $id: 'Job',
  description: 'A unit of queued work on one capture.',
})

export const wireJob = wireMapper(Job.properties)

export const jobExample: Static<typeof JobWireSchema> = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c12',
  kind: 'retranscribe',
  capture_id: EXAMPLE_CAPTURE.id,
  capture_title: 'message.flac',
  state: 'active',
  progress: 0.4,
  attempts: 1,
  error: null,
  created_at: EXAMPLE_CAPTURE.createdAt,
  started_at: EXAMPLE_CAPTURE.createdAt,
  finished_at: null,
}

const jobParams = strictObject({ id: uuid({ description: 'ID of the job' }) })

const jobNotFound = (id: string): Problem => ({
  code: 'job_not_found',
  detail: `There is no job ${id}.`,
})

const oneJob = jsonContent(JobWireSchema, jobExample)

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
      responses: ok(
        'One page of jobs',
        jsonContent(listOf(JobWireSchema, { $id: 'JobList' }), { items: [jobExample], total: 1 }),
      ),
    },
    async (_request, { query }) => {
      const { state, capture_id: captureId, limit = 50, offset = 0 } = query
      const { items, total } = await jobs.list({ state, captureId, limit, offset })
      return Response.json({ items: items.map(wireJob), total })
    },
  )

export const WorkerSchema = strictObject(
  {
    id: Type.String(),
    role: oneOf(ROLES),
    host: Type.String({ description: 'the name of its computer' }),
    pid: Type.Integer({ description: 'its process id' }),
    slots: Type.Integer({ minimum: 0, description: 'how many jobs it works on at once' }),
    active: Type.Integer({ minimum: 0, description: 'jobs in hand, a few seconds ago' }),
    started_at: dateTime(),
    seen_at: dateTime({ description: 'its last sign of life' }),
  },
  { $id: 'Worker', description: 'A server or worker that takes jobs from the queue.' },
)

const workerExample: Static<typeof WorkerSchema> = {
  id: '5f0c1a2b-7c3e-4d41-9a4e-3f6f0d1f9c12',
  role: 'server',
  host: 'desk',
  pid: 4711,
  slots: 4,
  active: 1,
  started_at: EXAMPLE_CAPTURE.createdAt,
  seen_at: EXAMPLE_CAPTURE.createdAt,
}

export const listWorkersRoute = (jobs: Jobs) =>
  defineRoute(
    {
      method: 'GET',
      path: '/jobs/workers',
      operationId: 'listWorkers',
      summary: 'List servers and workers',
      description: 'The live servers and workers on the database, with their slots and work in hand.',
      tag: 'jobs',
      responses: ok(
        'All of them',
        jsonContent(listOf(WorkerSchema, { $id: 'WorkerList' }), { items: [workerExample], total: 1 }),
      ),
    },
    async () => {
      const workers = await jobs.workers()
      const items = workers.map(({ startedAt, seenAt, ...worker }) => ({
        ...worker,
        started_at: startedAt,
        seen_at: seenAt,
      }))
      return Response.json({ items, total: items.length })
    },
  )

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
      responses: ok('The job', oneJob),
      problems: ['job_not_found'],
    },
    async (_request, { params }) => {
      const job = await jobs.get(params.id)
      return job === null ? problemResponse(jobNotFound(params.id)) : Response.json(wireJob(job))
    },
  )

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
      responses: ok('The cancelled job', oneJob),
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
