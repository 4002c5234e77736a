import type { Problem, ProblemCode } from '../../contract/problem.ts'

/** RFC 6455, section 7.4.1, and its registry. */
export const CLOSED = { done: 1000, goingAway: 1001 } as const

const CLOSE_CODES: Partial<Record<ProblemCode, number>> = {
  shutting_down: CLOSED.goingAway,
  invalid_request: 1003,
  unsupported_audio: 1003,
  undecodable_audio: 1003,
  stream_ended: 1008,
  nothing_received: 1008,
  reader_too_slow: 1008,
  body_too_large: 1009,
  file_too_large: 1009,
  too_far_behind: 1013,
}
const UNEXPECTED = 1011

export const closeCodeOf = ({ code }: Problem): number => CLOSE_CODES[code] ?? UNEXPECTED
