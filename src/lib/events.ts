// The server's event bus. Subscribers are GET /events, the webhook and the cache of decoded audio.
// Events carry ids and states; a subscriber that needs more looks it up.

export type ArchiveEvent =
  | {
      name: 'capture.created' | 'capture.updated' | 'capture.deleted'
      captureId: string
      status: string | null
    }
  | {
      name: 'job.progress'
      jobId: string
      captureId: string
      state: 'waiting' | 'active' | 'completed' | 'failed' | 'canceled'
      /** 0 to 1 */
      progress: number
    }
  | {
      name: 'model.progress'
      modelName: string
      status: 'downloading' | 'verifying' | 'complete' | 'error' | 'canceled'
      /** bytes */
      current: number
      total: number | null
    }
  /** events of another server may have been missed */
  | { name: 'reset' }

/** An event and its sequence number in this run of the server, counted from 1. */
export type NumberedEvent = { number: number; event: ArchiveEvent }

export type Publish = (event: ArchiveEvent) => void

export type EventBus = {
  publish: Publish
  /** `listen` must not throw; returns the function that unsubscribes it */
  subscribe(listen: (one: NumberedEvent) => void): () => void
  /** the number of the latest event, 0 before the first */
  last(): number
  /** the events after `number`, oldest first; null if some of them are no longer in memory */
  since(number: number): NumberedEvent[] | null
}

/** Number of events retained for clients that reconnect. */
export const RETAINED_EVENTS = 1000

export function createEventBus(): EventBus {
  const listeners = new Set<(one: NumberedEvent) => void>()
  const recent: NumberedEvent[] = []
  let last = 0
  return {
    publish(event) {
      const one = { number: ++last, event }
      recent.push(one)
      if (recent.length > RETAINED_EVENTS) recent.shift()
      for (const listen of listeners) listen(one)
    },
    subscribe(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    last: () => last,
    since(number) {
      if (number > last || number < last - recent.length) return null
      return recent.filter((one) => one.number > number)
    },
  }
}
