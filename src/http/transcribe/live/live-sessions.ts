// How many streams are heard at this moment, and when the last of them is over.
// What one is made of is live-session.ts; one count for all databases of a run.

import { pause } from '../../../lib/retry.ts'

export type LiveSessions = {
  /** the function that gives the place back, to be called when no work of it is left; null where all are taken */
  enter(): (() => void) | null
  count(): number
  /** resolves when there is none, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

/** What a machine hears that takes a tenth of a stream's time for it. */
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
