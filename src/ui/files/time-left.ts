// How long work will take, by how fast it went so far on this machine.
// What is at work is file-queue.ts's.

/** Less than this says too little of how fast it goes. */
const LEAST_PROGRESS = 0.03

/** Of one recording, `elapsedMs` after the work on it began; null where nobody can tell yet. */
export const msLeft = (progress: number, elapsedMs: number): number | null =>
  progress < LEAST_PROGRESS ? null : (elapsedMs * (1 - progress)) / progress

export type TimedWork = { bytes: number; doneMs: number | null; isOver: boolean; msLeft: number | null }

/**
 * Of all: those that wait take as long for a byte as those that are done, or as the one at work, took.
 * `doneMs`: how long it took, or has taken with what is left of it.
 */
export function msLeftOfAll(all: readonly TimedWork[]): number | null {
  const known = all.filter(({ doneMs }) => doneMs !== null)
  const bytes = known.reduce((sum, one) => sum + one.bytes, 0)
  const open = all.filter(({ isOver }) => !isOver)
  if (bytes === 0 || open.length === 0) return null
  const msPerByte = known.reduce((sum, one) => sum + one.doneMs!, 0) / bytes
  return open.reduce((sum, one) => sum + (one.msLeft ?? one.bytes * msPerByte), 0)
}
