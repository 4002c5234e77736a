// One child process that may loop, trap or fall silent, and the certainty that it can be ended.
// Asks it one thing at a time; which thing, and what follows a failure, is process-engine.ts.

import { endChild, isAlive, startChild } from '../lib/child-process.ts'
import type { FromRecogniser, ToRecogniser } from './recogniser-messages.ts'

/**
 * Time is counted in ticks of this process, not by the clock: a laptop that slept, or a machine so busy that
 * even this timer came late, must not look like a silent child.
 */
const TICK_MS = 1000

export type Answer = Extract<FromRecogniser, { kind: 'loaded' | 'transcribed' | 'failed' }>

export type ProcessOutcome =
  | { kind: 'answered'; answer: Answer }
  /** in all of these the process is gone */
  | { kind: 'aborted' }
  | { kind: 'died'; message: string }
  | { kind: 'timeout'; message: string }

export type Question = {
  message: ToRecogniser
  deadlineMs: number
  /** longest silence allowed; null where the process is known to block */
  silenceMs: number | null
  signal: AbortSignal
  onEvent: (event: Extract<FromRecogniser, { kind: 'progress' | 'segment' }>) => void
}

export type KillableProcess = {
  pid: number
  isAlive(): boolean
  /** how long a process that was asked something has said nothing */
  silentMs(): number
  ask(question: Question): Promise<ProcessOutcome>
  /** what is not answered */
  tell(message: ToRecogniser): void
  /** resolves when it is gone, and with it all its memory */
  kill(): Promise<void>
}

/** @param entry the script that the child runs; it inherits nothing from the environment */
export const startProcess = (entry: string): KillableProcess => {
  let silentTicks = 0
  let listener: (message: FromRecogniser) => void = () => {}
  let onExit: () => void = () => {}
  const child = startChild<FromRecogniser>({
    script: entry,
    serialization: 'advanced',
    onMessage: (message) => {
      silentTicks = 0
      listener(message)
    },
  })

  // Once for the process and not for each question: its promise would keep them all, samples included, until the end.
  child.exited.then(() => onExit())

  const ask = ({ message, deadlineMs, silenceMs, signal, onEvent }: Question) =>
    new Promise<ProcessOutcome>((resolve) => {
      let ticks = 0
      silentTicks = 0
      const settle = (outcome: ProcessOutcome) => {
        clearInterval(timer)
        signal.removeEventListener('abort', abort)
        listener = () => {}
        onExit = () => {}
        silentTicks = 0
        if (outcome.kind === 'answered') resolve(outcome)
        else endChild(child).then(() => resolve(outcome))
      }
      const abort = () => settle({ kind: 'aborted' })
      const tick = () => {
        ticks += 1
        silentTicks += 1
        if (ticks * TICK_MS > deadlineMs) {
          settle({ kind: 'timeout', message: `The engine gave no answer within ${deadlineMs / 1000} s.` })
        } else if (silenceMs !== null && silentTicks * TICK_MS > silenceMs) {
          settle({ kind: 'timeout', message: `The engine's process said nothing for ${silenceMs / 1000} s.` })
        }
      }
      const timer = setInterval(tick, TICK_MS)
      listener = (event) => {
        if (event.kind === 'progress' || event.kind === 'segment') onEvent(event)
        else if (event.kind !== 'alive') settle({ kind: 'answered', answer: event })
      }
      onExit = () => {
        const how = child.signalCode ?? `code ${child.exitCode}`
        settle({ kind: 'died', message: `The engine's process ended with ${how}.` })
      }
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      else if (isAlive(child)) child.send(message)
      else onExit()
    })

  return {
    pid: child.pid,
    isAlive: () => isAlive(child),
    silentMs: () => silentTicks * TICK_MS,
    ask,
    tell: (message) => {
      if (isAlive(child)) child.send(message)
    },
    kill: () => endChild(child),
  }
}
