// Estimates the rate and the time left of a download from recent progress events.

/** Long enough to smooth out a short stall. */
const WINDOW_MS = 10_000

export type Sample = { atMs: number; bytes: number }

/**
 * The samples within the window, with one more. If the byte count drops, the download has restarted and so does the
 * window.
 */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  if (sample.bytes < (samples.at(-1)?.bytes ?? 0)) return [sample]
  const counted = samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS)
  // Keeps one sample from before the window if no other is left for comparison.
  return [...(counted.length > 0 ? counted : samples.slice(-1)), sample]
}

/** Null with fewer than two samples. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs <= first.atMs || last.bytes <= first.bytes) return null
  return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs)
}
