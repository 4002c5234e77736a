// Compiles a user's regular expression with RE2, whose time is linear in the text, and explains why one is rejected.

import { RE2JS, RE2JSException } from 're2js'
import { fail, type Result, succeed } from '../../lib/result.ts'

/** In instructions; the time per character grows with them. */
const MAX_PROGRAM = 1000

/** Replacements for RE2 messages that users would not understand. */
const REASONS: [RegExp, string][] = [
  [/^\(\?<?[=!]/, 'uses lookahead or lookbehind, which is not supported'],
  [/^\\[1-9]/, 'uses a backreference, which is not supported'],
]

export type PatternOptions = { caseSensitive: boolean }

/** The failure is a message that follows the name of the field: "is not a pattern: …". */
export function compileEntryPattern(
  pattern: string,
  { caseSensitive }: PatternOptions,
): Result<RE2JS, string> {
  try {
    const compiled = RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE)
    if (compiled.programSize() > MAX_PROGRAM)
      return fail('is a pattern that is too complex; use fewer or smaller repetitions')
    if (compiled.matcher('').find())
      return fail('is a pattern that matches the empty text, and so everywhere')
    return succeed(compiled)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return fail(reasonOf(error.message))
  }
}

function reasonOf(message: string): string {
  // RE2 adds the flag (?i), which the user did not write.
  const [, what = '', where = ''] =
    /error parsing regexp: (.*?)(?:: `(?:\(\?i\))?(.*)`)?$/su.exec(message) ?? []
  const known = REASONS.find(([pattern]) => pattern.test(where))
  if (known) return known[1]
  if (what === 'invalid repeat count') return 'has a repetition of more than 1000, which is not supported'
  return `is not a pattern: ${what || message}${where ? ` in ${where}` : ''}`
}
