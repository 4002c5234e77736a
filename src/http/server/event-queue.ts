// Turns callbacks into an async iterable of events. Unbounded: events are small compared to the work behind them.

import type { StreamedEvent } from './event-stream.ts'

export function createEventQueue() {
  const waiting: StreamedEvent[] = []
  let ended = false
  let wake = Promise.withResolvers<void>()
  return {
    push(event: StreamedEvent): void {
      waiting.push(event)
      wake.resolve()
    },
    end(): void {
      ended = true
      wake.resolve()
    },
    /** for one consumer */
    async *events(): AsyncGenerator<StreamedEvent, void, undefined> {
      for (;;) {
        yield* waiting.splice(0)
        if (waiting.length > 0) continue
        if (ended) return
        await wake.promise
        wake = Promise.withResolvers<void>()
      }
    },
  }
}
