// Sets the wall clock beside the time that really passes, and so sees when it was put forward or back.
// What must not be done by a clock that has just jumped is for those who ask.

import type { Clock } from './clock.ts'

export type ClockWatch = {
  /** for how many milliseconds the clock has gone as time does; looks at it */
  steadyMs(): number
  /** whether it has jumped since this was asked the last time; looks at it */
  hasJumped(): boolean
}

/** More than any clock is wrong by, or is put right by in small steps, between two looks. */
const TOLERANCE_MS = 60_000

/** A computer that slept has jumped, too: what passes meanwhile is not counted as time. */
export function createClockWatch(clock: Clock, passedMs: () => number = () => performance.now()): ClockWatch {
  let [wall, passed] = [clock().getTime(), passedMs()]
  let steadySince = passed
  let asked = steadySince

  function look(): void {
    const [wallNow, passedNow] = [clock().getTime(), passedMs()]
    if (Math.abs(wallNow - wall - (passedNow - passed)) > TOLERANCE_MS) steadySince = passedNow
    wall = wallNow
    passed = passedNow
  }

  return {
    steadyMs() {
      look()
      return passed - steadySince
    },
    hasJumped() {
      look()
      const jumped = steadySince !== asked
      asked = steadySince
      return jumped
    },
  }
}
