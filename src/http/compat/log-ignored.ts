// Tells in the log what a client of another program sent that is not known here, so that a person who wonders can find out.
// Which names those are, the open schemas of the routes say (contract/schema.ts).

import type { Log } from '../../lib/log.ts'

/** @param query of a route that knows no query parameter */
export function logIgnored(log: Log, fields: readonly string[], query: object): void {
  const ignored = [...fields, ...Object.keys(query)]
  if (ignored.length > 0) log.debug({ ignored }, 'fields that are not known here')
}
