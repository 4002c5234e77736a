// From callbacks to a sequence: events are put in as they happen and taken out one by one.
// Not bounded: what it carries is small beside the work that makes it.

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
    /** to be read once */
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
