// The `recorded_at` field: a day, or a day and time, between 1860 and now.

import { DAY_MS, timeZone } from '../../lib/time-zone.ts'
import { faultOf } from '../contract/merge-errors.ts'
import type { Fault, Problem } from '../contract/problem.ts'
import { dayOrMomentOf, NO_DAY_OR_MOMENT } from './moment.ts'
import { dayOrMoment } from './span.ts'

/** The oldest audio recording that can be played is from this year. */
const EARLIEST = Date.UTC(1860, 0, 1)
/** Clocks differ, and in another time zone a plain day may already have started. */
const AHEAD_MS = DAY_MS

export const recordedAtField = dayOrMoment(
  'when the recording was made, from 1860 until now; lists, filters, statistics and retention use this time; by default when it is received',
  "this computer's time zone",
)

/** For a text that `recordedAtFault` has accepted. */
export const recordedAtOf = (text: string): Date => readMoment(text)!

/** Null if the field is absent or valid. */
export function recordedAtFault(text: unknown, place: Fault['in']): Problem | null {
  if (typeof text !== 'string') return null
  const message = whatIsWrong(readMoment(text))
  return message === null ? null : faultOf({ in: place, path: '/recorded_at', message })
}

function whatIsWrong(time: Date | null): string | null {
  if (time === null) return NO_DAY_OR_MOMENT
  if (time.getTime() > Date.now() + AHEAD_MS) return 'must not be in the future'
  return time.getTime() < EARLIEST ? 'must be 1860 or later, because there are no earlier recordings' : null
}

const readMoment = (text: string): Date | null =>
  dayOrMomentOf(text, timeZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? timeZone('UTC')!)
