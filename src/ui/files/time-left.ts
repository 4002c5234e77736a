// Estimates the time left from the speed so far on this machine.

import { useEffect, useState } from 'preact/hooks'

/** Below this progress an estimate is too rough. */
const MIN_PROGRESS = 0.03

/** For one recording, `elapsedMs` after its transcription began; null if no estimate is possible yet. */
export const msLeft = (progress: number, elapsedMs: number): number | null =>
  progress < MIN_PROGRESS ? null : (elapsedMs * (1 - progress)) / progress

export type TimedWork = { bytes: number; doneMs: number | null; isOver: boolean; msLeft: number | null }

/**
 * For all files: the waiting ones are assumed to take as long per byte as the finished ones, or as the one in progress.
 * `doneMs`: how long a file took, or the time so far plus the estimate of the rest.
 */
export function msLeftOfAll(all: readonly TimedWork[]): number | null {
  const known = all.filter(({ doneMs }) => doneMs !== null)
  const bytes = known.reduce((sum, one) => sum + one.bytes, 0)
  const open = all.filter(({ isOver }) => !isOver)
  if (bytes === 0 || open.length === 0) return null
  const msPerByte = known.reduce((sum, one) => sum + one.doneMs!, 0) / bytes
  return open.reduce((sum, one) => sum + (one.msLeft ?? one.bytes * msPerByte), 0)
}

/** performance.now(), re-rendered once a second. */
export function useNow(): number {
  const [now, setNow] = useState(performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
