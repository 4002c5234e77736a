// Read-only properties. A client may edit a GET response and send it back whole: unchanged read-only values are
// accepted, and changed ones are rejected instead of ignored.

import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { Fault } from './problem.ts'

/** The read-only properties as an update schema accepts them: optional. */
export const readOnly = <P extends TProperties>(properties: P) =>
  Type.Partial(
    Type.Object(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, marked(schema)])) as P,
    ),
  ).properties

const marked = (schema: TSchema): TSchema => ({ ...schema, readOnly: true })

const CANNOT_CHANGE = 'cannot be changed; leave it out, or send it as GET returns it'

/**
 * Returns an error for each of the `fixed` properties whose sent value differs from the current one. `fixed` must not
 * contain values that change by themselves, such as use counts: the sent value may be older than the current one.
 */
export const changedReadOnly = (
  sent: Record<string, unknown>,
  current: Record<string, unknown>,
  fixed: readonly string[],
): Fault[] =>
  fixed
    .filter(
      (name) =>
        sent[name] !== undefined && !Bun.deepEquals(comparable(sent[name]), comparable(current[name])),
    )
    .map((name) => ({ in: 'body', path: `/${name}`, message: CANNOT_CHANGE }))

/** Ids are case-insensitive. */
const comparable = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

export const READ_ONLY_NOTE =
  'Read-only properties of the GET response may be sent back unchanged; use counts and times are ignored.'
