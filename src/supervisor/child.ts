// One child process and its requests. It may loop, trap or hang, and can always be killed.

import {
  type ChildProcess,
  endChild,
  isAlive,
  type SpawnOptions,
  sendTo,
  spawnChild,
} from '../lib/child-process.ts'
import type { FromChild, ToChild } from './serve-parent.ts'

/**
 * Deadlines count ticks of this process, not clock time: a suspended laptop, or a machine so busy that this timer fires
 * late, must not look like a silent child.
 */
const TICK_MS = 1000

export type EndCause =
  | { kind: 'died'; exitCode: number | null; signal: ChildProcess['signalCode'] }
  /** it was killed because a request exceeded its deadline */
  | { kind: 'late'; withinMs: number }
  /** it was killed because it sent no message for this long */
  | { kind: 'silent'; withinMs: number }
  /** it was killed because a request was aborted */
  | { kind: 'aborted' }
  /** by `kill` */
  | { kind: 'killed' }

export type RequestOutcome<Answer> =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'aborted' }
  /** the process ended, and this request is to blame: the process worked on no other */
  | { kind: 'blamed'; cause: EndCause }
  /** the process ended because of another request, or while it worked on others that may be to blame; to be repeated */
  | { kind: 'interrupted'; cause: EndCause }

export type RequestOptions<Event> = {
  /** an abort kills the process, or stops the request if `stopWithinMs` is set */
  signal?: AbortSignal
  /** the process honours a stop within this time, or is killed. @default 0, which kills it at once */
  stopWithinMs?: number
  /** counts only while the process works on the request. @default none */
  deadlineMs?: number
  /** the longest time without a message from the process. @default none */
  silenceMs?: number
  /**
   * The process works on all such requests at once, but pauses them during any other request. It works on the others one
   * at a time, in order of arrival.
   */
  sideBySide?: boolean
  onEvent?: (event: Event) => void
}

export type Child<Request, Event, Answer> = {
  pid: number
  /** resolves before the outcomes of its requests; `requests`: how many were pending */
  ended: Promise<{ cause: EndCause; requests: number }>
  /** false once the process is being killed */
  isAlive(): boolean
  isBusy(): boolean
  /** the time since the last message, while a request is pending */
  silentMs(): number
  request(request: Request, options?: RequestOptions<Event>): Promise<RequestOutcome<Answer>>
  /** sends a request without deadline and ignores the answer */
  notify(request: Request): void
  /** resolves when the process has ended and its memory is free */
  kill(): Promise<void>
}

type Pending<Event, Answer> = RequestOptions<Event> & {
  ticks: number
  isAborted: boolean
  settle: (outcome: RequestOutcome<Answer>) => void
}

/** The only request without `sideBySide` that the process works on. */
const firstInTurn = <Request extends { sideBySide?: boolean }>(all: Request[]) =>
  all.find(({ sideBySide }) => !sideBySide)

/** Starts a process, which keeps its parent alive only while a request is pending. */
export function startChild<Request, Event, Answer>(options: SpawnOptions): Child<Request, Event, Answer> {
  const pending = new Map<number, Pending<Event, Answer>>()
  const ended = Promise.withResolvers<{ cause: EndCause; requests: number }>()
  let nextId = 0
  let silentTicks = 0
  let timer: ReturnType<typeof setInterval> | undefined
  let killedFor: EndCause | null = null

  const child = spawnChild<FromChild<Event, Answer>>(options, (message) => {
    silentTicks = 0
    if (message.kind === 'alive' || killedFor) return
    const request = pending.get(message.id)
    if (message.kind === 'event') request?.onEvent?.(message.event)
    else if (request?.isAborted) request.settle({ kind: 'aborted' })
    else request?.settle({ kind: 'answered', answer: message.answer })
  })
  child.unref()
  // Once per process, not per request: the promise would retain every request until exit.
  child.exited.then(() => settleAll())

  const send = (message: ToChild<Request>) => sendTo(child, message)

  const killFor = (cause: EndCause) => {
    if (isAlive(child)) killedFor ??= cause
    return endChild(child)
  }

  const settleAll = () => {
    const { exitCode, signalCode: signal } = child
    const cause: EndCause = killedFor ?? { kind: 'died', exitCode, signal }
    const all = [...pending.values()]
    ended.resolve({ cause, requests: all.length })
    const first = firstInTurn(all)
    const suspects = all.filter((request) => request.sideBySide || request === first)
    const isDeliberate = cause.kind === 'aborted' || cause.kind === 'killed'
    for (const request of all) {
      const isToBlame = !isDeliberate && suspects.length === 1 && suspects[0] === request
      if (request.isAborted) request.settle({ kind: 'aborted' })
      else request.settle({ kind: isToBlame ? 'blamed' : 'interrupted', cause })
    }
  }

  const tick = () => {
    silentTicks += 1
    const all = [...pending.values()]
    const first = firstInTurn(all)
    for (const request of first ? [first] : all) {
      request.ticks += 1
      const { deadlineMs: withinMs = Number.POSITIVE_INFINITY } = request
      if (request.ticks * TICK_MS > withinMs) return void killFor({ kind: 'late', withinMs })
    }
    const withinMs = Math.min(...all.map(({ silenceMs = Number.POSITIVE_INFINITY }) => silenceMs))
    if (silentTicks * TICK_MS > withinMs) void killFor({ kind: 'silent', withinMs })
  }

  const request = (message: Request, options: RequestOptions<Event> = {}) =>
    new Promise<RequestOutcome<Answer>>((resolve) => {
      const { signal, stopWithinMs = 0 } = options
      if (signal?.aborted) return resolve({ kind: 'aborted' })
      const id = nextId++
      let stopTimer: ReturnType<typeof setTimeout> | undefined
      const abort = () => {
        own.isAborted = true
        const kill = () => void killFor({ kind: 'aborted' })
        if (stopWithinMs === 0 || !send({ kind: 'stop', id })) kill()
        else stopTimer = setTimeout(kill, stopWithinMs)
      }
      const settle = (outcome: RequestOutcome<Answer>) => {
        pending.delete(id)
        clearTimeout(stopTimer)
        signal?.removeEventListener('abort', abort)
        if (pending.size === 0) {
          clearInterval(timer)
          silentTicks = 0
          child.unref()
        }
        resolve(outcome)
      }
      const own: Pending<Event, Answer> = { ...options, ticks: 0, isAborted: false, settle }
      if (pending.size === 0) {
        silentTicks = 0
        timer = setInterval(tick, TICK_MS)
        child.ref()
      }
      pending.set(id, own)
      signal?.addEventListener('abort', abort, { once: true })
      if (!send({ kind: 'request', id, request: message })) endChild(child).then(settleAll)
    })

  return {
    pid: child.pid,
    ended: ended.promise,
    isAlive: () => isAlive(child) && killedFor === null,
    isBusy: () => pending.size > 0,
    silentMs: () => silentTicks * TICK_MS,
    request,
    notify: (message) => void send({ kind: 'request', id: nextId++, request: message }),
    kill: () => killFor({ kind: 'killed' }),
  }
}
