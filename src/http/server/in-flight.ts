// Tracks the requests in flight, so that the services behind them are closed after the last one.
// A stream counts only until its response starts; a separate signal ends it.

import { pause } from '../../lib/retry.ts'
import type { Fetch } from '../contract/connection.ts'

export type InFlight = {
  fetch: Fetch
  /** resolves when no request is in flight, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

export function trackInFlight(fetch: Fetch): InFlight {
  const inFlight = new Set<Promise<Response>>()
  return {
    fetch(request, connection) {
      const answer = fetch(request, connection)
      inFlight.add(answer)
      return answer.finally(() => inFlight.delete(answer))
    },
    async over(deadlineMs) {
      const isOver = new AbortController()
      const last = Promise.allSettled(inFlight).then(() => isOver.abort())
      await Promise.race([last, pause(deadlineMs, isOver.signal)])
    },
  }
}
