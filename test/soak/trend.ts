// Whether a series of numbers rises, told in a way that a few wild ones among them do not change.
// Knows neither what was measured nor how much would be too much.

import { median } from '../../scripts/bench/table.ts'

export type Point = { atHours: number; value: number }

/** The median of the slopes between all pairs (Theil 1950, Sen 1968), per hour; 0 of fewer than two points. */
export function slopePerHour(points: Point[]): number {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .filter((other) => other.atHours !== one.atHours)
      .map((other) => (other.value - one.value) / (other.atHours - one.atHours)),
  )
  return slopes.length === 0 ? 0 : median(slopes)
}

/** What is left of a run when its first third, in which caches fill, is taken away. */
export const settled = <T>(series: T[]): T[] => series.slice(Math.floor(series.length / 3))
