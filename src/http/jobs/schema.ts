import type { Static } from '@sinclair/typebox'
import { JobSchema as Job } from '../../jobs/job.ts'
import { wireMapper, wireProperties } from '../../lib/schema-mapping.ts'
import { strictObject } from '../contract/schema.ts'
import { EXAMPLE_CAPTURE } from '../fields/example.ts'

export const JobWireSchema = strictObject(wireProperties(Job.properties), {
  $id: 'Job',
  description: 'A unit of queued work on one capture.',
})

export const wireJob = wireMapper(Job.properties)

export const jobExample: Static<typeof JobWireSchema> = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c12',
  kind: 'retranscribe',
  capture_id: EXAMPLE_CAPTURE.id,
  state: 'active',
  progress: 0.4,
  attempts: 1,
  error: null,
  created_at: EXAMPLE_CAPTURE.createdAt,
  started_at: EXAMPLE_CAPTURE.createdAt,
  finished_at: null,
}
