// A robust estimate of the slope of a series, with a confidence interval.

export type Point = { atHours: number; value: number }

/** Per hour; the true slope is below `low` in one of 40 series, and above `high` in one of 40. */
export type Trend = { perHour: number; low: number; high: number }

/** 95 % of the normal distribution is between -Z and Z. */
const Z = 1.96

/**
 * The median of the slopes between all pairs (Theil 1950), with its confidence interval (Sen 1968) from the variance of
 * Kendall's statistic. Too few points have no bounds, and fewer than two no slope.
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

/** A run without its first third, in which caches fill. */
export const settled = <T>(series: T[]): T[] => series.slice(Math.floor(series.length / 3))
