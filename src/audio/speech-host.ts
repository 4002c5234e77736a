// The speech detector's process: loads the model, sends requests, and repeats them in a fresh process if it dies.

import type { Log } from '../lib/log.ts'
import { ownFile } from '../lib/own-files.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { type RequestOutcome, startChild } from '../supervisor/child.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import type { SpeechAnswer, SpeechMemory, SpeechQuestion, SpeechRequest } from './speech-messages.ts'

/**
 * `speech_detector_failed` means that a second attempt in a fresh process failed as well; a later attempt may succeed.
 */
export type SpeechFailure = { code: 'speech_detector_failed' | 'aborted'; message: string }

type Detected = { probabilities: Float32Array; memory: SpeechMemory }

export type SpeechHost = {
  detect(question: SpeechQuestion, signal: AbortSignal): Promise<Result<Detected, SpeechFailure>>
  /**
   * Loads the model (a tenth of a second and 75 MB) in advance, so that the first recording does not wait for it.
   * Resolves when it is loaded or has failed to load
   */
  warm(): Promise<void>
  /** ends the process to free all memory; the next recording loads the model again */
  unload(): Promise<void>
  close(): Promise<void>
  info(): { state: 'unloaded' | 'loading' | 'ready'; pid: number | null; starts: number }
}

/** A range takes a tenth of a second on a quiet machine, and so does loading. */
const ANSWER_WITHIN_MS = 60_000
const LOAD_WITHIN_MS = 60_000
const PROCESS_FILE = ownFile('src/audio/speech-process.ts')

/** A process that dies while loading counts against no request; after this many in a row, waiting requests fail. */
const MAX_FAILED_LOADS = 3

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

const failed = (message: string) => fail({ code: 'speech_detector_failed' as const, message })
const aborted = () => fail({ code: 'aborted' as const, message: 'Stopped on request.' })

export type SpeechHostOptions = {
  /** read each time the process becomes idle */
  idleUnloadMs: () => number
  /** a loaded, busy process that does not respond for this long is killed; one minute by default */
  answerWithinMs?: number
  log: Log
}

export function createSpeechHost(options: SpeechHostOptions): SpeechHost {
  const { answerWithinMs = ANSWER_WITHIN_MS, log } = options
  let isClosed = false
  let isLoaded = false
  let loading = Promise.resolve()
  let starts = 0
  let failedLoads = 0

  const startDetector = () => {
    const script = { script: PROCESS_FILE, serialization: 'advanced' as const }
    const child = startChild<SpeechRequest, never, SpeechAnswer>(script)
    starts++
    child.ended.then(({ cause }) => {
      if (cause.kind === 'died')
        log.warn({ exitCode: cause.exitCode, signal: cause.signal }, 'the speech detector crashed')
      if (cause.kind === 'late')
        log.warn({ pid: child.pid }, 'the speech detector does not respond; ending its process')
    })
    return child
  }

  const supervisor = createSupervisor({ startChild: startDetector, idleMs: options.idleUnloadMs })

  const loadModel = async () => {
    const outcome = await supervisor.request({ kind: 'load' }, { deadlineMs: LOAD_WITHIN_MS })
    if (outcome.kind === 'blamed') failedLoads++
    if (outcome.kind !== 'answered') return
    const { answer } = outcome
    if (answer.kind === 'unloadable') {
      log.error({ reason: answer.message }, 'the speech detector failed to load')
      failedLoads = MAX_FAILED_LOADS
      await supervisor.discard()
    } else {
      isLoaded = true
      failedLoads = 0
    }
  }

  /** The first request of each process: if that dies while it loads, no other request is to blame. */
  const load = () => {
    if (!supervisor.running()) {
      // Throws if no process can be started; `loading` then stays as it was, because not every caller awaits it.
      supervisor.start()
      isLoaded = false
      loading = loadModel()
    }
    return loading
  }

  return {
    /**
     * The process keeps no state between requests, so a fresh one can take over when it dies: once if this request killed
     * it, and any number of times if another request did. This terminates, because each death counts against at least one
     * request; a process that dies while loading counts against none, but only a limited number of times in a row.
     */
    async detect(question, signal) {
      let failures = 0
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        if (isClosed) return failed('The server is stopping.')
        if (signal.aborted) return aborted()
        const loaded = load()
        const request = supervisor.request({ kind: 'detect', question }, { deadlineMs: answerWithinMs })
        const outcome = await unlessAborted(request, signal)
        if (outcome.kind === 'aborted') return aborted()
        if (outcome.kind === 'answered' && outcome.answer.kind === 'probabilities')
          return succeed(outcome.answer)
        // Only then is it known whether loading has failed.
        await loaded
        if (outcome.kind !== 'interrupted' || failedLoads >= MAX_FAILED_LOADS) failures++
        if (failures === 2) return failed(messageOf(outcome))
        await pause(pauseMs, signal)
      }
    },
    async warm() {
      if (!isClosed) await load()
    },
    unload: supervisor.discard,
    async close() {
      isClosed = true
      await supervisor.close()
    },
    info() {
      const child = supervisor.running()
      const state = child === null ? 'unloaded' : isLoaded ? 'ready' : 'loading'
      return { state, pid: child?.pid ?? null, starts }
    },
  }
}

const messageOf = (outcome: Exclude<RequestOutcome<SpeechAnswer>, { kind: 'aborted' }>): string => {
  if (outcome.kind !== 'answered')
    return outcome.cause.kind === 'died'
      ? 'The speech detector crashed.'
      : 'The speech detector was stopped while it worked.'
  const { answer } = outcome
  if (answer.kind !== 'problem') throw new Error(`the speech detector answered with ${answer.kind}`)
  return `The speech detector could not read the recording: ${answer.message}.`
}

/** The process finishes an aborted request, which takes a tenth of a second. */
function unlessAborted<T>(
  request: Promise<RequestOutcome<T>>,
  signal: AbortSignal,
): Promise<RequestOutcome<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<RequestOutcome<T>>()
  const giveUp = () => resolve({ kind: 'aborted' })
  signal.addEventListener('abort', giveUp, { once: true })
  request.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  return promise
}
