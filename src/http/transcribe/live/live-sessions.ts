// Limits and counts the live sessions of this process.

import { pause } from '../../../lib/retry.ts'

export type LiveSessions = {
  /** returns a function that frees the session's place when its work has ended; null if all places are in use */
  enter(): (() => void) | null
  count(): number
  /** resolves when the current sessions have ended, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

/** The capacity of a machine that transcribes ten times as fast as real time. */
export const MOST_LIVE_SESSIONS = 10

export function createLiveSessions(most = MOST_LIVE_SESSIONS): LiveSessions {
  const places = new Map<symbol, PromiseWithResolvers<void>>()
  return {
    enter() {
      if (places.size >= most) return null
      const place = Symbol('live session')
      const left = Promise.withResolvers<void>()
      places.set(place, left)
      return () => {
        places.delete(place)
        left.resolve()
      }
    },
    count: () => places.size,
    async over(deadlineMs) {
      const isOver = new AbortController()
      const last = Promise.all([...places.values()].map(({ promise }) => promise))
      await Promise.race([last.then(() => isOver.abort()), pause(deadlineMs, isOver.signal)])
    },
  }
}
