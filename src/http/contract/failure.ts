// Converts failures of lower layers to problems on the wire.

import { isProblemCode, type Problem, type ProblemCode, problemResponse } from './problem.ts'

export type Failure = { code: string; message: string; conflictingId?: string }

/** Internal codes that the client cannot act on, mapped to what they mean for the client. Other codes are the same. */
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

/** Replaces the message of aborted work, which is no advice for the client that waited for it. */
const STOPPING = 'The server is stopping; send this again when it runs.'

/** Seconds after which a retry may succeed. */
const RETRY_AFTER: Partial<Record<ProblemCode, string>> = {
  queue_full: '10',
  engine_unavailable: '5',
  shutting_down: '10',
}

/** Throws for a code without a mapping: that is a bug, and ends as a 500. */
export function problemOf(failure: Failure): Problem {
  const code = isProblemCode(failure.code) ? failure.code : MEANINGS[failure.code]
  if (code === undefined) throw new Error(`no problem code for the failure ${failure.code}`)
  const retryAfter = RETRY_AFTER[code]
  return {
    code,
    detail: code === 'shutting_down' ? STOPPING : failure.message,
    ...(failure.conflictingId !== undefined && { conflictId: failure.conflictingId }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  }
}

/** For requests that are rejected before any work has failed. */
export const SHUTTING_DOWN: Problem = problemOf({ code: 'shutting_down', message: STOPPING })

export const failureResponse = (failure: Failure): Response => problemResponse(problemOf(failure))
