// Runs one child process at a time: starts it on demand, replaces it, and ends it when it has been idle.

import type { Child, RequestOptions, RequestOutcome } from './child.ts'

export type Supervisor<Request, Event, Answer> = {
  /** null if no process runs */
  running(): Child<Request, Event, Answer> | null
  /** sends a request to the running process, or to a new one */
  request(request: Request, options?: RequestOptions<Event>): Promise<RequestOutcome<Answer>>
  /** starts a process ahead of the next request, unless one runs */
  start(): void
  /** ends the process; its pending requests are interrupted. Resolves when the memory of the last process is free */
  discard(): Promise<void>
  /** ends the process and starts the next one */
  replace(): Promise<void>
  /** restarts the idle time: a request is expected soon */
  touch(): void
  /** ends the process; nothing starts another one */
  close(): Promise<void>
}

export type SupervisorOptions<Request, Event, Answer> = {
  startChild: () => Child<Request, Event, Answer>
  /** a process without a request for this long is ended; read each time it becomes idle */
  idleMs: () => number
}

export function createSupervisor<Request, Event, Answer>({
  startChild,
  idleMs,
}: SupervisorOptions<Request, Event, Answer>): Supervisor<Request, Event, Answer> {
  let child: Child<Request, Event, Answer> | null = null
  let isClosed = false
  let ending = Promise.resolve()
  let idleTimer: ReturnType<typeof setTimeout> | undefined

  const running = () => (child?.isAlive() ? child : null)

  const touch = () => {
    clearTimeout(idleTimer)
    const idle = running()
    if (!idle || idle.isBusy()) return
    idleTimer = setTimeout(() => void discard(), idleMs())
    idleTimer.unref()
  }

  const discard = () => {
    clearTimeout(idleTimer)
    if (child) ending = child.kill()
    child = null
    return ending
  }

  const start = () => {
    if (isClosed || running()) return
    child = startChild()
    touch()
  }

  return {
    running,
    discard,
    start,
    touch,
    async request(request, options) {
      if (isClosed || options?.signal?.aborted) return { kind: 'aborted' }
      start()
      clearTimeout(idleTimer)
      const outcome = await child!.request(request, options)
      touch()
      return outcome
    },
    async replace() {
      await discard()
      start()
    },
    async close() {
      isClosed = true
      await discard()
    },
  }
}
