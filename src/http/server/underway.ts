// Counts the requests that are being answered, so that what answers them can be closed behind the last one.
// Streams that go on after their answer began are not counted: they end by a signal of their own.

import { pause } from '../../lib/retry.ts'
import type { Fetch } from '../contract/connection.ts'

export type Underway = {
  fetch: Fetch
  /** resolves when none is under way any more, or at the deadline */
  over(deadlineMs: number): Promise<void>
}

export function countUnderway(fetch: Fetch): Underway {
  const underway = new Set<Promise<Response>>()
  return {
    fetch(request, connection) {
      const answer = fetch(request, connection)
      underway.add(answer)
      return answer.finally(() => underway.delete(answer))
    },
    async over(deadlineMs) {
      const isOver = new AbortController()
      const last = Promise.allSettled(underway).then(() => isOver.abort())
      await Promise.race([last, pause(deadlineMs, isOver.signal)])
    },
  }
}
