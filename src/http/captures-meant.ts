// Which captures a request for work on many means: those of some ids, or all that a filter finds. Exactly one of them.
// The filter itself is capture-filter.ts.

import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Which } from '../captures/which-captures.ts'
import { type Result, succeed } from '../lib/result.ts'
import { captureFilterFields, readCaptureFilter } from './capture-filter.ts'
import type { Fault } from './problem.ts'
import { strictObject, uuid } from './schema.ts'
import { readSpan, spanFields } from './span.ts'

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

/** Which captures a request means that `wrongInMeant` found nothing wrong with. */
export function whichOf({ ids, filter = {} }: Meant): Result<Which, Fault[]> {
  if (ids !== undefined) return succeed({ ids })
  const meant = readCaptureFilter(filter, IN_FILTER)
  return meant.ok ? succeed({ meant: meant.value }) : meant
}

const IN_FILTER = { in: 'body', path: '/filter' } as const

/** What is wrong with both together, and what the schema cannot see; of any JSON. */
export function wrongInMeant(value: unknown): Fault[] {
  if (!isObject(value)) return []
  const { ids, filter } = value
  if (filter === undefined) return ids === undefined ? [fault('/ids', 'or filter is required')] : []
  if (!isObject(filter)) return []
  const both = ids === undefined ? [] : [fault('/filter', 'must not be given beside ids')]
  // What the schema refuses already need not be refused again.
  const asked = Object.entries(spanFields).filter(([name, schema]) => Value.Check(schema, filter[name]))
  const span = readSpan(Object.fromEntries(asked.map(([name]) => [name, filter[name] as string])), IN_FILTER)
  return span.ok ? both : [...both, ...span.failure]
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (path: string, message: string): Fault => ({ in: 'body', path, message })
