// Counts the abort signals of this process that something still leads to: what ended must not be kept by a signal that
// outlives it. Says nothing of who keeps them.

import { heapStats } from 'bun:jsc'

export function signalsAlive(): number {
  Bun.gc(true)
  return heapStats().objectTypeCounts.AbortSignal ?? 0
}
