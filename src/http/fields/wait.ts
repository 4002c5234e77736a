// How long a request waits for a transcript: the `wait` parameter and `Prefer: respond-async`.

import { Type } from '@sinclair/typebox'
import { strictObject } from '../contract/schema.ts'

const MAX_SECONDS = 600

export const waitQuery = strictObject({
  wait: Type.Optional(
    Type.Union([Type.Boolean(), Type.Integer({ minimum: 0, maximum: MAX_SECONDS })], {
      description:
        '`true` waits until the job is done, a number waits at most that many seconds and then returns 202. `false` does not wait and always returns 202',
    }),
  ),
})

/** Long enough for any recording; a disconnect of the client ends the wait. */
const UNTIL_DONE_MS = 24 * 3600 * 1000

/** `Prefer: respond-async` (RFC 7240) means the same as `wait=false`; an explicit `wait` overrides it. */
export function timeoutMsOf(
  request: Request,
  wait: boolean | number | undefined,
  defaultMs = UNTIL_DONE_MS,
): number {
  if (typeof wait === 'number') return wait * 1000
  if (wait !== undefined) return wait ? UNTIL_DONE_MS : 0
  return prefersAsync(request) ? 0 : defaultMs
}

export const prefersAsync = (request: Request): boolean =>
  /(?:^|[,\s])respond-async(?:[,;\s]|$)/i.test(request.headers.get('prefer') ?? '')
