// Reports ignored fields to clients of other programs: in the log, in JSON responses and in the `Warning` header. Also
// the language names that they expect.

import type { TObject } from '@sinclair/typebox'
import type { Log } from '../../lib/log.ts'
import type { Warning } from '../../lib/warning.ts'
import { ignoredNames } from '../kernel/schema.ts'

type Sent = {
  /** fields of the form; the schema allows unknown names */
  fields: TObject
  requested: object
  /** query of the request; these routes have no query parameters */
  query: object
  /** known fields that have no effect with the values sent */
  without?: readonly string[]
}

/** Azure's clients send it with every request; this server has only one version. */
const VERSION = 'api-version'

/** A form may have a hundred fields. */
const MAX_NAMED = 20

export function logIgnored(log: Log, ignored: readonly string[]): void {
  if (ignored.length > 0) log.debug({ ignored }, 'ignored unknown fields')
}

export function warnOfIgnored(log: Log, { fields, requested, query, without = [] }: Sent): Warning[] {
  const ignored = [...ignoredNames(fields, requested), ...Object.keys(query)]
  logIgnored(log, ignored)
  // `chunking_strategy[type]` is part of a known field.
  const isNews = (name: string) =>
    name !== VERSION && !Object.hasOwn(fields.properties, name.split('[', 1)[0]!)
  const named = [...new Set([...ignored.filter(isNews), ...without])].slice(0, MAX_NAMED)
  if (named.length === 0) return []
  const list = named.map((name) => name.slice(0, 100)).join(', ')
  return [{ code: 'fields_ignored', message: `These fields have no effect here and were ignored: ${list}.` }]
}

/** Member of a response; absent without warnings, because other servers do not have it. */
export const withWarnings = (warnings: readonly Warning[]): { warnings?: Warning[] } =>
  warnings.length === 0 ? {} : { warnings: [...warnings] }

/** RFC 9110 no longer defines the `Warning` header. Header values must be ASCII. */
export function headWarnings(response: Response, warnings: readonly Warning[]): Response {
  for (const { message } of warnings) {
    const text = message.replace(/[“”"]/g, "'").replace(/[^\x20-\x7e]|\\/g, '?')
    response.headers.append('warning', `299 - "${text}"`)
  }
  return response
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** English name in lowercase; empty if there was no speech. */
export const languageName = (language: string | null): string =>
  language === null ? '' : (names.of(language) ?? language).toLowerCase()
