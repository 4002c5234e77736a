// A child process that may loop, trap or hang, and can always be killed.

import { endChild, isAlive, sendTo, startChild } from '../lib/child-process.ts'
import type {
  Answer,
  FromRecogniser,
  RecogniserRequest,
  ToRecogniser,
  WindowEvent,
} from './recogniser-messages.ts'

/**
 * Deadlines count ticks of this process, not clock time: a suspended laptop, or a machine so busy that this timer fires
 * late, must not look like a silent child.
 */
const TICK_MS = 1000

export type ProcessOutcome =
  | { kind: 'answered'; answer: Answer }
  /** aborted, and the process is ready for the next request */
  | { kind: 'stopped' }
  /** in the following cases the process has ended */
  | { kind: 'aborted' }
  | { kind: 'died'; message: string }
  | { kind: 'timeout'; message: string }

export type ProcessRequest = {
  message: RecogniserRequest
  /** a side-by-side request waits while another one runs, and that time does not count */
  deadlineMs: number
  sideBySide: boolean
  /** the longest time without a message; null if the process is known to block */
  silenceMs: number | null
  /** whether it honours a stop message, within half a second or it is killed; if false, an abort kills it at once */
  stops: boolean
  signal: AbortSignal
  onEvent: (event: WindowEvent) => void
}

export type KillableProcess = {
  pid: number
  isAlive(): boolean
  /** the time since the last message, while a request is pending */
  silentMs(): number
  request(request: ProcessRequest): Promise<ProcessOutcome>
  /** sends a message that has no answer */
  send(message: ToRecogniser): void
  /** resolves when the process has ended and its memory is free */
  kill(): Promise<void>
}

const STOP_WITHIN_MS = 500

type Pending = ProcessRequest & { ticks: number; settle: (outcome: ProcessOutcome) => void }

/** @param entry the script that the child runs, without the parent's environment */
export const startProcess = (entry: string): KillableProcess => {
  const pending = new Map<number, Pending>()
  let nextId = 0
  let silentTicks = 0
  let timer: ReturnType<typeof setInterval> | undefined
  const child = startChild<FromRecogniser>({
    script: entry,
    serialization: 'advanced',
    onMessage: (message) => {
      silentTicks = 0
      if (message.kind === 'alive') return
      const request = pending.get(message.id)
      if (message.kind === 'event') request?.onEvent(message.event)
      else request?.settle({ kind: 'answered', answer: message.answer })
    },
  })

  const send = (message: ToRecogniser) => sendTo(child, message)

  // Once per process, not per request: the promise would retain every request, with its samples, until exit.
  child.exited.then(() => onExit())

  const onExit = () => {
    const how = child.signalCode ?? `code ${child.exitCode}`
    for (const { settle } of [...pending.values()])
      settle({ kind: 'died', message: `The engine's process ended with ${how}.` })
  }

  const tick = () => {
    silentTicks += 1
    const all = [...pending.values()]
    const isHeldUp = all.some(({ sideBySide }) => !sideBySide)
    for (const request of all) {
      const { deadlineMs, silenceMs, settle } = request
      if (!isHeldUp || !request.sideBySide) request.ticks += 1
      if (request.ticks * TICK_MS > deadlineMs) {
        settle({ kind: 'timeout', message: `The engine gave no answer within ${deadlineMs / 1000} s.` })
      } else if (silenceMs !== null && silentTicks * TICK_MS > silenceMs) {
        settle({ kind: 'timeout', message: `The engine's process said nothing for ${silenceMs / 1000} s.` })
      }
    }
  }

  const startRequest = (request: ProcessRequest) =>
    new Promise<ProcessOutcome>((resolve) => {
      if (request.signal.aborted) return resolve({ kind: 'stopped' })
      const id = nextId++
      let killing: ReturnType<typeof setTimeout> | undefined
      const settle = (outcome: ProcessOutcome) => {
        if (!pending.delete(id)) return
        clearTimeout(killing)
        request.signal.removeEventListener('abort', abort)
        if (pending.size === 0) {
          clearInterval(timer)
          silentTicks = 0
        }
        if (outcome.kind === 'answered') resolve(killing === undefined ? outcome : { kind: 'stopped' })
        else endChild(child).then(() => resolve(outcome))
      }
      const abort = () => {
        if (!request.stops || !send({ kind: 'stop', id })) return settle({ kind: 'aborted' })
        killing = setTimeout(() => settle({ kind: 'aborted' }), STOP_WITHIN_MS)
      }
      if (pending.size === 0) {
        silentTicks = 0
        timer = setInterval(tick, TICK_MS)
      }
      pending.set(id, { ...request, ticks: 0, settle })
      request.signal.addEventListener('abort', abort, { once: true })
      if (!send({ kind: 'request', id, request: request.message })) endChild(child).then(onExit)
    })

  return {
    pid: child.pid,
    isAlive: () => isAlive(child),
    silentMs: () => silentTicks * TICK_MS,
    request: startRequest,
    send,
    kill: () => endChild(child),
  }
}
