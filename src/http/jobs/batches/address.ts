import { uuid } from '../../../lib/schema.ts'
import type { Problem } from '../../contract/problem.ts'
import { strictObject } from '../../contract/schema.ts'
import { BatchDetailSchema, batchDetailExample } from './schema.ts'

export const batchParams = strictObject({ id: uuid({ description: 'ID of the batch' }) })

export const batchNotFound = (id: string): Problem => ({
  code: 'batch_not_found',
  detail: `There is no batch ${id}.`,
})

export const oneBatch = { 'application/json': { schema: BatchDetailSchema, example: batchDetailExample } }
