// What GET tells of a thing and no change can set: it may come back with a change, as it was told.
// So that what was got can be edited and sent as a whole, and a wish that cannot be granted is not passed over.

import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Fault } from './problem.ts'

/** Such parts of a thing as a change may carry. */
export const readOnly = <P extends TProperties>(properties: P) =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, marked(schema)])) as P,
    ),
  ).properties

const marked = (schema: TSchema): TSchema => ({ ...schema, readOnly: true })

const CANNOT_CHANGE = 'cannot be changed; leave it out, or send it as GET tells it'

/**
 * Of what is `fixed`, what was sent otherwise than it is told. What changes by itself, such as counts of use, is
 * not to be among it: it may well be older than what would be told now.
 */
export const changedReadOnly = (
  sent: Record<string, unknown>,
  told: Record<string, unknown>,
  fixed: readonly string[],
): Fault[] =>
  fixed
    .filter(
      (name) => sent[name] !== undefined && !Bun.deepEquals(comparable(sent[name]), comparable(told[name])),
    )
    .map((name) => ({ in: 'body', path: `/${name}`, message: CANNOT_CHANGE }))

/** Ids may be sent in any case. */
const comparable = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

export const READ_ONLY_NOTE =
  'What GET tells besides (marked read-only) may be sent along unchanged; counts and times of use are passed over.'
