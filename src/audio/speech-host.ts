// Starts, watches and ends the speech detector's process, and sends requests to it. Does not retry.

import { fileURLToPath } from 'node:url'
import { type ChildProcess, sendTo, spawnChild } from '../lib/child-process.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { RangeOfFile, SpeechAnswer, SpeechChunk, SpeechMemory } from './speech-messages.ts'

export type SpeechHostFailure = {
  code:
    | 'speech_detector_failed'
    /** the process died before it reached this request, because of another request or for no known reason */
    | 'interrupted'
    | 'aborted'
  message: string
}

export type SpeechHost = {
  ask(
    question: (RangeOfFile | SpeechChunk) & { memory: SpeechMemory | null },
    signal: AbortSignal,
  ): Promise<Result<{ probabilities: Float32Array; memory: SpeechMemory }, SpeechHostFailure>>
  /** resolves when the model is loaded or has failed to load */
  warm(): Promise<void>
  unload(): Promise<void>
  close(): Promise<void>
  info(): { state: 'unloaded' | 'loading' | 'ready'; pid: number | null; starts: number }
}

type Answered = Result<{ probabilities: Float32Array; memory: SpeechMemory }, SpeechHostFailure>
type Child = {
  process: ChildProcess
  state: 'loading' | 'ready'
  loaded: PromiseWithResolvers<void>
  waiting: Map<number, (answered: Answered) => void>
}

/** A range takes a tenth of a second on a quiet machine, and so does loading. */
const ANSWER_WITHIN_MS = 60_000
const LOAD_WITHIN_MS = 60_000
const PROCESS_FILE = fileURLToPath(new URL('./speech-process.ts', import.meta.url))

/** A process that dies while loading counts against no request; after this many in a row, waiting requests fail. */
const MOST_FAILED_LOADS = 3

const failed = (message: string) => fail({ code: 'speech_detector_failed' as const, message })
const interrupted = (message: string) => fail({ code: 'interrupted' as const, message })

export type SpeechHostOptions = {
  /** read each time the process becomes idle */
  idleUnloadMs: () => number
  /** a loaded, busy process that does not respond for this long is killed; one minute by default */
  answerWithinMs?: number
  log: Log
}

export function createSpeechHost(options: SpeechHostOptions): SpeechHost {
  const { idleUnloadMs, answerWithinMs = ANSWER_WITHIN_MS, log } = options
  let child: Child | null = null
  let closed = false
  let starts = 0
  let failedLoads = 0
  let nextId = 1
  let timer: ReturnType<typeof setTimeout> | undefined

  /** One timer: detects a hang while requests wait, and idleness otherwise. */
  const restartTimer = () => {
    clearTimeout(timer)
    const watched = child
    if (!watched) return
    const loading = watched.state === 'loading'
    const busy = loading || watched.waiting.size > 0
    const patienceMs = loading ? LOAD_WITHIN_MS : busy ? answerWithinMs : idleUnloadMs()
    timer = setTimeout(() => {
      if (busy)
        log.warn({ pid: watched.process.pid }, 'the speech detector does not respond; ending its process')
      end(watched)
    }, patienceMs)
    timer.unref()
  }

  const end = (ended: Child) => {
    ended.process.kill('SIGKILL')
    discard(ended, 'The speech detector was stopped while it worked.')
  }

  const discard = (gone: Child, message: string) => {
    if (child === gone) {
      child = null
      clearTimeout(timer)
    }
    const waiting = [...gone.waiting.values()]
    gone.waiting.clear()
    if (waiting.length > 0 && gone.state === 'loading') failedLoads++
    const isHopeless = closed || failedLoads >= MOST_FAILED_LOADS
    // The process handles requests in order, so the first is the one it was working on.
    for (const [index, settle] of waiting.entries()) {
      const isCharged = isHopeless || (index === 0 && gone.state === 'ready')
      settle(isCharged ? failed(message) : interrupted(message))
    }
    gone.loaded.resolve()
  }

  const receive = (from: Child, answer: SpeechAnswer) => {
    if (answer.kind === 'ready') {
      from.state = 'ready'
      failedLoads = 0
      from.loaded.resolve()
    } else if (answer.kind === 'unloadable') {
      log.error({ reason: answer.message }, 'the speech detector failed to load')
      failedLoads = MOST_FAILED_LOADS
      end(from)
    } else {
      const settle = from.waiting.get(answer.id)
      from.waiting.delete(answer.id)
      if (answer.kind === 'probabilities') settle?.(succeed(answer))
      else settle?.(failed(`The speech detector could not read the recording: ${answer.message}.`))
    }
    restartTimer()
  }

  const start = (): Child => {
    const started: Child = {
      process: spawnChild<SpeechAnswer>({ script: PROCESS_FILE, serialization: 'advanced' }, (answer) =>
        receive(started, answer),
      ),
      state: 'loading',
      loaded: Promise.withResolvers<void>(),
      waiting: new Map(),
    }
    starts++
    child = started
    started.process.exited.then((exitCode) => {
      const signal = started.process.signalCode
      if (child === started) log.warn({ exitCode, signal }, 'the speech detector crashed')
      discard(started, 'The speech detector crashed.')
    })
    restartTimer()
    return started
  }

  const unload = async () => {
    const unloaded = child
    if (!unloaded) return
    end(unloaded)
    await unloaded.process.exited
  }

  return {
    ask(question, signal) {
      if (closed) return Promise.resolve(failed('The server is stopping.'))
      if (signal.aborted) return Promise.resolve(aborted())
      const target = child ?? start()
      const id = nextId++
      return new Promise((resolve) => {
        const giveUp = () => resolve(aborted())
        signal.addEventListener('abort', giveUp, { once: true })
        target.waiting.set(id, (answered) => {
          signal.removeEventListener('abort', giveUp)
          resolve(answered)
        })
        if (!sendTo(target.process, { ...question, id })) discard(target, 'The speech detector crashed.')
        // Only the first request starts the timer; later ones must not postpone the detection of a hang.
        else if (target.waiting.size === 1) restartTimer()
      })
    },
    async warm() {
      if (!closed) await (child ?? start()).loaded.promise
    },
    unload,
    async close() {
      closed = true
      await unload()
    },
    info: () => ({ state: child?.state ?? 'unloaded', pid: child?.process.pid ?? null, starts }),
  }
}

const aborted = () => fail({ code: 'aborted' as const, message: 'Stopped on request.' })
