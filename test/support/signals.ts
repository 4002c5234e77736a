// Counts the live abort signals of this process: a signal that outlives an operation must not retain the operation's
// memory.

import { heapStats } from 'bun:jsc'

export function signalsAlive(): number {
  Bun.gc(true)
  return heapStats().objectTypeCounts.AbortSignal ?? 0
}
