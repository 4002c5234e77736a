// What happens in the server, told to whoever listens: clients of GET /events, the webhook, waiting pages.
// Carries ids and states; who needs more looks it up.

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

/** An event, and its place in the order of all events of this run; counts from 1. */
export type NumberedEvent = { number: number; event: ArchiveEvent }

export type Publish = (event: ArchiveEvent) => void

export type EventBus = {
  publish: Publish
  /** `listen` must not throw; gives the function that ends it */
  subscribe(listen: (one: NumberedEvent) => void): () => void
  /** the number of the newest event, 0 before the first */
  last(): number
  /** what came after `number`, oldest first; null where more is missing than is remembered */
  since(number: number): NumberedEvent[] | null
}

/** So many events are kept for those who come back. */
export const REMEMBERED_EVENTS = 1000

export function createEventBus(): EventBus {
  const listeners = new Set<(one: NumberedEvent) => void>()
  const recent: NumberedEvent[] = []
  let last = 0
  return {
    publish(event) {
      const one = { number: ++last, event }
      recent.push(one)
      if (recent.length > REMEMBERED_EVENTS) recent.shift()
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
