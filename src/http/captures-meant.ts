// Which captures a request for work on many means: those of some ids, or all that a filter finds. Exactly one of them.
// The filter itself is capture-filter.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { Which } from '../captures/which-captures.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { captureFilterFields, readCaptureFilter } from './capture-filter.ts'
import type { Fault } from './problem.ts'
import { strictObject, uuid } from './schema.ts'

/** A body may be one megabyte large, and so many ids are less than half of that. */
const MAX_IDS = 10_000

const captureFilter = strictObject(captureFilterFields, {
  $id: 'CaptureFilter',
  description: 'Like the query of GET /captures; an empty one means every capture that is not in the trash.',
})

export const meantFields = {
  ids: Type.Optional(
    Type.Array(uuid(), { description: 'exactly these; not beside `filter`', minItems: 1, maxItems: MAX_IDS }),
  ),
  filter: Type.Optional(captureFilter),
}

type Meant = Static<ReturnType<typeof strictObject<typeof meantFields>>>

/** Failures name what is wrong with both together, and what the schema cannot see. */
export function whichOf({ ids, filter }: Meant): Result<Which, Fault[]> {
  if (filter === undefined) return ids ? succeed({ ids }) : fail([fault('/ids', 'or filter is required')])
  const meant = readCaptureFilter(filter, { in: 'body', path: '/filter' })
  const faults = meant.ok ? [] : meant.failure
  if (ids !== undefined) return fail([fault('/filter', 'must not be given beside ids'), ...faults])
  return meant.ok ? succeed({ meant: meant.value }) : meant
}

const fault = (path: string, message: string): Fault => ({ in: 'body', path, message })
