// Starts, watches and ends the speech detector's process, and carries questions to it.
// Knows nothing of spans, and does not ask twice: that is speech-detector.ts.

import { fileURLToPath } from 'node:url'
import { type ChildProcess, sendTo, startChild } from '../lib/child-process.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { RangeOfFile, SpeechAnswer, SpeechChunk, SpeechMemory } from './speech-messages.ts'

export type SpeechHostFailure = {
  code:
    | 'speech_detector_failed'
    /** its process ended before it came to this question: another's fault, or nobody's */
    | 'interrupted'
    | 'aborted'
  message: string
}

export type SpeechHost = {
  ask(
    question: (RangeOfFile | SpeechChunk) & { memory: SpeechMemory | null },
    signal: AbortSignal,
  ): Promise<Result<{ probabilities: Float32Array; memory: SpeechMemory }, SpeechHostFailure>>
  /** resolves when the model is loaded, or could not be */
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

/** A process that ends while it loads works on nobody's question: so often in a row, whoever waits is told that it fails. */
const MOST_FAILED_LOADS = 3

const failed = (message: string) => fail({ code: 'speech_detector_failed' as const, message })
const interrupted = (message: string) => fail({ code: 'interrupted' as const, message })

export type SpeechHostOptions = {
  /** asked each time there is nothing left to do */
  idleUnloadMs: () => number
  /** a loaded process that is silent for so long while it should work is ended; one minute unless given */
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

  /** One timer: while questions wait it watches for a hang, otherwise for idleness. */
  const restartTimer = () => {
    clearTimeout(timer)
    const watched = child
    if (!watched) return
    const loading = watched.state === 'loading'
    const busy = loading || watched.waiting.size > 0
    const patienceMs = loading ? LOAD_WITHIN_MS : busy ? answerWithinMs : idleUnloadMs()
    timer = setTimeout(() => {
      if (busy) log.warn({ pid: watched.process.pid }, 'the speech detector hangs and is ended')
      end(watched)
    }, patienceMs)
    timer.unref()
  }

  const end = (ended: Child) => {
    ended.process.kill('SIGKILL')
    forget(ended, 'The speech detector was ended while it worked.')
  }

  const forget = (gone: Child, message: string) => {
    if (child === gone) {
      child = null
      clearTimeout(timer)
    }
    const waiting = [...gone.waiting.values()]
    gone.waiting.clear()
    if (waiting.length > 0 && gone.state === 'loading') failedLoads++
    const isHopeless = closed || failedLoads >= MOST_FAILED_LOADS
    // It takes questions in turn: the first is the one that it worked on.
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
      log.error({ reason: answer.message }, 'the speech detector does not load')
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
      process: startChild<SpeechAnswer>({
        script: PROCESS_FILE,
        serialization: 'advanced',
        onMessage: (answer) => receive(started, answer),
      }),
      state: 'loading',
      loaded: Promise.withResolvers<void>(),
      waiting: new Map(),
    }
    starts++
    child = started
    started.process.exited.then((exitCode) => {
      const signal = started.process.signalCode
      if (child === started) log.warn({ exitCode, signal }, 'the speech detector died')
      forget(started, 'The speech detector died.')
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
      const asked = child ?? start()
      const id = nextId++
      return new Promise((resolve) => {
        const giveUp = () => resolve(aborted())
        signal.addEventListener('abort', giveUp, { once: true })
        asked.waiting.set(id, (answered) => {
          signal.removeEventListener('abort', giveUp)
          resolve(answered)
        })
        if (!sendTo(asked.process, { ...question, id })) forget(asked, 'The speech detector died.')
        // Only the first question starts the watch: those that follow must not put a hang off.
        else if (asked.waiting.size === 1) restartTimer()
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
