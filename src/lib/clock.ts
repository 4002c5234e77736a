// The wall clock, passed in so that a test can hold it still. To measure a duration use performance.now().

export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export type ClockWatch = {
  /** milliseconds since the last jump of the clock; checks the clock first */
  steadyMs(): number
  /** whether the clock has jumped since the last call; checks the clock first */
  hasJumped(): boolean
}

/** More than a clock drifts, or is corrected by in small steps, between two checks. */
const TOLERANCE_MS = 60_000

/** A computer that slept counts as a jump, too: the time asleep does not count as elapsed time. */
export function createClockWatch(clock: Clock, passedMs: () => number = () => performance.now()): ClockWatch {
  let [wall, passed] = [clock().getTime(), passedMs()]
  let steadySince = passed
  let reportedSince = steadySince

  function check(): void {
    const [wallNow, passedNow] = [clock().getTime(), passedMs()]
    if (Math.abs(wallNow - wall - (passedNow - passed)) > TOLERANCE_MS) steadySince = passedNow
    wall = wallNow
    passed = passedNow
  }

  return {
    steadyMs() {
      check()
      return passed - steadySince
    },
    hasJumped() {
      check()
      const jumped = steadySince !== reportedSince
      reportedSince = steadySince
      return jumped
    },
  }
}
