// Whether a series of numbers rises, told in a way that a few wild ones among them do not change, and how surely.
// Knows neither what was measured nor how much would be too much.

export type Point = { atHours: number; value: number }

/** Per hour; the true slope is under `low` in one of 40 series, and over `high` in another. */
export type Trend = { perHour: number; low: number; high: number }

/** of the normal distribution, which has 95 of 100 between it and its negative */
const Z = 1.96

/**
 * The median of the slopes between all pairs (Theil 1950), with its interval of confidence (Sen 1968): as many slopes lie
 * outside of it as chance puts there, which is told by the spread of Kendall's count of the pairs that rise. Too few
 * points have no bounds, and fewer than two no slope.
 */
export function trendOf(points: Point[]): Trend {
  const slopes = points
    .flatMap((one, index) =>
      points
        .slice(index + 1)
        .filter((other) => other.atHours !== one.atHours)
        .map((other) => (other.value - one.value) / (other.atHours - one.atHours)),
    )
    .toSorted((one, other) => one - other)
  const n = points.length
  const within = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  const outside = Math.floor((slopes.length - within) / 2)
  if (slopes.length === 0) return { perHour: 0, low: -Infinity, high: Infinity }
  return {
    perHour: (slopes[Math.floor((slopes.length - 1) / 2)]! + slopes[Math.floor(slopes.length / 2)]!) / 2,
    low: outside < 1 ? -Infinity : slopes[outside - 1]!,
    high: outside < 1 ? Infinity : slopes.at(-outside)!,
  }
}

/** What is left of a run when its first third, in which caches fill, is taken away. */
export const settled = <T>(series: T[]): T[] => series.slice(Math.floor(series.length / 3))
