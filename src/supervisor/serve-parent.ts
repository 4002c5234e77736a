// The child's side of the supervisor: answers the parent's requests, and ends with the parent.

import { exitWithParent } from '../lib/child-process.ts'

export type ToChild<Request> =
  /** the events and the answer carry the same `id` */
  | { kind: 'request'; id: number; request: Request }
  /** cancels a request; any answer to it means that the process is ready again */
  | { kind: 'stop'; id: number }

export type FromChild<Event, Answer> =
  /** a heartbeat: the event loop runs */
  | { kind: 'alive' }
  | { kind: 'event'; id: number; event: Event }
  | { kind: 'answer'; id: number; answer: Answer }

export type Service<Request, Event, Answer> = {
  /** Requests may overlap if the parent sends them so. An exception ends the process. */
  answer(
    request: Request,
    context: { signal: AbortSignal; emit: (event: Event) => void },
  ): Answer | Promise<Answer>
  /** runs after the answer has been sent, while the parent continues with it */
  tidy?(request: Request): void
}

/** Serves the parent process until that exits. */
export function serveParent<Request, Event, Answer>({ answer, tidy }: Service<Request, Event, Answer>): void {
  exitWithParent()
  const send = (message: FromChild<Event, Answer>) => process.send?.(message)
  const pending = new Map<number, AbortController>()
  process.on('message', async (message: ToChild<Request>) => {
    const { id } = message
    if (message.kind === 'stop') return pending.get(id)?.abort()
    const { request } = message
    const stopping = new AbortController()
    pending.set(id, stopping)
    const emit = (event: Event) => void send({ kind: 'event', id, event })
    const answered = await answer(request, { signal: stopping.signal, emit })
    pending.delete(id)
    send({ kind: 'answer', id, answer: answered })
    tidy?.(request)
  })
}

export function sendHeartbeats(everyMs: number): void {
  setInterval(() => process.send?.({ kind: 'alive' } satisfies FromChild<never, never>), everyMs)
}
