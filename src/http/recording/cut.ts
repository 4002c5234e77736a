// The problem for a client whose recording the server stopped; the part that had arrived is stored.

import type { Cut } from '../../audio/incoming.ts'
import type { Log } from '../../lib/log.ts'
import { problemOf } from '../contract/failure.ts'
import { PROBLEMS, type Problem } from '../contract/problem.ts'
import { internalError } from '../server/errors.ts'

/** @param captureId if it is already known */
export function problemOfCut(cut: Cut, log: Log, captureId?: string): Problem {
  const { detail: _, ...problem } = 'thrown' in cut ? internalError(cut.thrown, log) : problemOf(cut)
  const { title } = PROBLEMS[problem.code]
  return {
    ...problem,
    detail: `${title}, so the server stopped the recording. The part that had arrived is stored.`,
    ...(captureId !== undefined && { captureId }),
  }
}
