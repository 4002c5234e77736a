// How fast a download comes in and how long the rest takes, from what the server told of it lately.
// Showing it is model-download.tsx.

/** Long enough that one slow moment does not make hours of minutes. */
const WINDOW_MS = 10_000

export type Sample = { atMs: number; bytes: number }

/** The samples that count, with one more. Fewer bytes than before begin anew. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  if (sample.bytes < (samples.at(-1)?.bytes ?? 0)) return [sample]
  const counted = samples.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS)
  // One before the window stays where there would be none to compare with.
  return [...(counted.length > 0 ? counted : samples.slice(-1)), sample]
}

/** Null until there are two to compare. */
export function paceOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.atMs <= first.atMs || last.bytes <= first.bytes) return null
  return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs)
}
