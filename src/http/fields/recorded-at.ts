// When a recording was spoken, as a client says it: a day, or a day and time, at which one can have been.
// What is a day and what is a moment is moment.ts.

import { DAY_MS, timeZone } from '../../lib/time-zone.ts'
import { faultOf } from '../contract/join-problems.ts'
import type { Fault, Problem } from '../contract/problem.ts'
import { dayOrMomentOf, NO_DAY_OR_MOMENT } from './moment.ts'
import { dayOrMoment } from './span.ts'

/** The oldest sound that can be played was recorded in this year. */
const EARLIEST = Date.UTC(1860, 0, 1)
/** Clocks differ, and a plain day elsewhere may have begun already. */
const AHEAD_MS = DAY_MS

export const recordedAtField = dayOrMoment(
  'when it was spoken, from 1860 until now: lists, filters, statistics and retention go by it; by default when it is received',
  "this computer's time zone",
)

/** Of a text that was found good. */
export const recordedAtOf = (text: string): Date => readMoment(text)!

/** Null where nothing is given, or it is a time at which it can have been recorded. */
export function recordedAtFault(text: unknown, place: Fault['in']): Problem | null {
  if (typeof text !== 'string') return null
  const message = whatIsWrong(readMoment(text))
  return message === null ? null : faultOf({ in: place, path: '/recorded_at', message })
}

function whatIsWrong(time: Date | null): string | null {
  if (time === null) return NO_DAY_OR_MOMENT
  if (time.getTime() > Date.now() + AHEAD_MS) return 'must not be in the future'
  return time.getTime() < EARLIEST ? 'must be 1860 or later: nothing was recorded before' : null
}

const readMoment = (text: string): Date | null =>
  dayOrMomentOf(text, timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? timeZone('UTC')!)
