// Selects the captures of a bulk request: either a list of ids or a filter, exactly one of them.

import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { CaptureSelection } from '../../captures/which-captures.ts'
import { uuid } from '../../lib/schema.ts'
import { type Fault, invalidRequest } from '../contract/problem.ts'
import type { Lookup, ParsedRequest } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { captureFilterFields, readCaptureFilter } from './filter.ts'

/** A body may have up to 1 MB; this many ids take less than half of that. */
const MAX_IDS = 10_000

const captureFilter = strictObject(captureFilterFields, {
  $id: 'CaptureFilter',
  description:
    'Same fields as the query of GET /captures; an empty filter matches every capture that is not in the trash.',
})

export const selectionFields = {
  ids: Type.Optional(
    Type.Array(uuid(), {
      description: 'exactly these captures; not together with `filter`',
      minItems: 1,
      maxItems: MAX_IDS,
    }),
  ),
  filter: Type.Optional(captureFilter),
}

const IN_FILTER = { in: 'body', path: '/filter' } as const

/** Resolves the selection; checks that `ids` and `filter` exclude each other, and what the schema cannot check. */
export function resolveSelection(
  { json }: Pick<ParsedRequest, 'json'>,
  checkFilter: (filter: Record<string, unknown>) => Fault[] = () => [],
): Lookup<CaptureSelection> {
  if (!isObject(json)) return { problems: [] }
  const { ids, filter } = json
  if (filter === undefined)
    return ids === undefined
      ? refused([fault('/ids', 'or filter is required')])
      : found({ ids: ids as string[] })
  if (!isObject(filter)) return { problems: [] }
  const both = ids === undefined ? [] : [fault('/filter', 'must not be given together with ids')]
  // Fields that the schema rejects are already reported.
  const right = Object.entries(captureFilterFields).filter(([name, schema]) =>
    Value.Check(schema, filter[name]),
  )
  const meant = readCaptureFilter(Object.fromEntries(right.map(([name]) => [name, filter[name]])), IN_FILTER)
  const faults = [...both, ...(meant.ok ? [] : meant.failure), ...checkFilter(filter)]
  return meant.ok && faults.length === 0 ? found({ meant: meant.value }) : refused(faults)
}

const found = (which: CaptureSelection): Lookup<CaptureSelection> => ({ problems: [], found: which })
const refused = (faults: Fault[]): Lookup<CaptureSelection> => ({ problems: [invalidRequest(faults)] })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (path: string, message: string): Fault => ({ in: 'body', path, message })
