// A regular expression that a person wrote, on an engine that takes time in proportion to the text (RE2).
// Whether it may be used at all is said here in words; where it applies in a text is scan-patterns.ts.

import { RE2JS, RE2JSException } from 're2js'
import { fail, type Result, succeed } from '../../lib/result.ts'

/** Instructions; the time for one letter grows with them. */
const MAX_PROGRAM = 1000

/** Of RE2's reasons, those that need more than their own words. */
const REASONS: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'looks ahead or behind, which this engine cannot do'],
  [/^\\[1-9]/, 'refers back to one of its groups, which this engine cannot do'],
]

export type PatternOptions = { caseSensitive: boolean }

/** The failure is what a person is told, after the name of the field: "is not a pattern: …". */
export function compileEntryPattern(
  pattern: string,
  { caseSensitive }: PatternOptions,
): Result<RE2JS, string> {
  try {
    const compiled = RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    if (compiled.programSize() > MAX_PROGRAM)
      return fail('is a pattern that is too large; use fewer or smaller repetitions')
    if (compiled.matcher('').find())
      return fail('is a pattern that matches nothing at all, and so everywhere')
    return succeed(compiled)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return fail(reasonOf(error.message))
  }
}

function reasonOf(message: string): string {
  // Its flag for case is not the person's.
  const [, what = '', where = ''] =
    /error parsing regexp: (.*?)(?:: `(?:\(\?i\))?(.*)`)?$/su.exec(message) ?? []
  const known = REASONS.find(([pattern]) => pattern.test(where))
  if (known) return known[1]
  if (what === 'invalid repeat count') return 'repeats something more than 1000 times, which is too large'
  return `is not a pattern: ${what || message}${where ? ` in ${where}` : ''}`
}
