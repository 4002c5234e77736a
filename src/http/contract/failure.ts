// From the failures that lower layers give to problems on the wire.
// The codes are mostly the same words; here stand those that mean something else outside.

import { isProblemCode, type Problem, type ProblemCode, problemResponse } from './problem.ts'

export type Failure = { code: string; message: string; conflictingId?: string }

/** What only this server can mend is told by what it means for the one who asked. */
const MEANINGS: Record<string, ProblemCode> = {
  decoder_missing: 'undecodable_audio',
  decode_timeout: 'undecodable_audio',
  decoder_crashed: 'undecodable_audio',
  speech_detector_failed: 'engine_unavailable',
  engine_crashed: 'engine_unavailable',
  engine_timeout: 'engine_unavailable',
  engine_closed: 'shutting_down',
  aborted: 'shutting_down',
}

/** What the work says of itself where it was ended is no advice to the one who waited for it. */
const STOPPING = 'The server is stopping; send this again when it runs.'

/** Seconds after which trying again may go better. */
const RETRY_AFTER: Partial<Record<ProblemCode, string>> = {
  queue_full: '10',
  engine_unavailable: '5',
  shutting_down: '10',
}

/** Throws for a code that nobody has thought of: that is a mistake in the code and ends as a 500. */
export function problemOf(failure: Failure): Problem {
  const code = isProblemCode(failure.code) ? failure.code : MEANINGS[failure.code]
  if (code === undefined) throw new Error(`a failure without a meaning outside: ${failure.code}`)
  const retryAfter = RETRY_AFTER[code]
  return {
    code,
    detail: code === 'shutting_down' ? STOPPING : failure.message,
    ...(failure.conflictingId !== undefined && { conflictId: failure.conflictingId }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  }
}

/** Where nothing has failed yet. */
export const SHUTTING_DOWN: Problem = problemOf({ code: 'shutting_down', message: STOPPING })

export const failureResponse = (failure: Failure): Response => problemResponse(problemOf(failure))
