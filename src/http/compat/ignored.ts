// Tells a client of another program which of its fields had no effect: in the log, in the answer where that is JSON, and
// in a header, as every other warning. Which names are not known, the open schemas of the routes say (contract/schema.ts).

import type { TObject } from '@sinclair/typebox'
import type { Log } from '../../lib/log.ts'
import type { Warning } from '../../lib/warning.ts'
import { ignoredNames } from '../contract/schema.ts'

type Sent = {
  /** of the form, open to names that are not known here */
  fields: TObject
  asked: object
  /** of a route that knows no query parameter */
  query: object
  /** known, and without effect as they were sent */
  without?: readonly string[]
}

/** Azure's clients send it with every request, and there is one version here. */
const VERSION = 'api-version'

/** A form may have a hundred. */
const MAX_NAMED = 20

export function logIgnored(log: Log, ignored: readonly string[]): void {
  if (ignored.length > 0) log.debug({ ignored }, 'fields that are not known here')
}

export function warnOfIgnored(log: Log, { fields, asked, query, without = [] }: Sent): Warning[] {
  const ignored = [...ignoredNames(fields, asked), ...Object.keys(query)]
  logIgnored(log, ignored)
  // `chunking_strategy[type]` is a part of a field that is known.
  const isNews = (name: string) =>
    name !== VERSION && !Object.hasOwn(fields.properties, name.split('[', 1)[0]!)
  const named = [...new Set([...ignored.filter(isNews), ...without])].slice(0, MAX_NAMED)
  if (named.length === 0) return []
  const list = named.map((name) => name.slice(0, 100)).join(', ')
  return [{ code: 'fields_ignored', message: `These fields have no effect here and were ignored: ${list}.` }]
}

/** As a member of an answer, absent where there is nothing to tell: other servers have none. */
export const withWarnings = (warnings: readonly Warning[]): { warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] }

/** RFC 9110 leaves the field to those who use it; a header takes nothing but ASCII. */
export function headWarnings(response: Response, warnings: readonly Warning[]): Response {
  for (const { message } of warnings) {
    const text = message.replace(/[“”"]/g, "'").replace(/[^\x20-\x7e]|\\/g, '?')
    response.headers.append('warning', `299 - "${text}"`)
  }
  return response
}
