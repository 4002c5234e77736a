// Why the server stopped a recording that it keeps as far as it came, as a problem for its client.
// Stopping it is audio/incoming.ts.

import type { Cut } from '../../audio/incoming.ts'
import type { Log } from '../../lib/log.ts'
import { problemOf } from '../contract/failure.ts'
import { PROBLEMS, type Problem } from '../contract/problem.ts'
import { internalError } from '../server/errors.ts'

/** `captureId`: where it is known already */
export function problemOfCut(cut: Cut, log: Log, captureId?: string): Problem {
  const { detail: _, ...problem } = 'thrown' in cut ? internalError(cut.thrown, log) : problemOf(cut)
  const { title } = PROBLEMS[problem.code]
  return {
    ...problem,
    detail: `${title}, so the server stopped the recording. It keeps what had arrived.`,
    ...(captureId !== undefined && { captureId }),
  }
}
