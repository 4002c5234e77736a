import { uuid } from '../../lib/schema.ts'
import type { Problem } from '../contract/problem.ts'
import { strictObject } from '../contract/schema.ts'
import { JobWireSchema, jobExample } from './schema.ts'

export const jobParams = strictObject({ id: uuid({ description: 'ID of the job' }) })

export const jobNotFound = (id: string): Problem => ({
  code: 'job_not_found',
  detail: `There is no job ${id}.`,
})

export const oneJob = { 'application/json': { schema: JobWireSchema, example: jobExample } }
