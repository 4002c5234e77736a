// Owns the recogniser process and the model loaded in it: starts, loads, requests, replaces.

import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { longestSilenceMs, suspiciousSilenceMs } from './deadlines.ts'
import { ABORTED, type EngineFailure, type ModelFile, type Segment, type WindowTranscript } from './engine.ts'
import { type KillableProcess, type ProcessOutcome, startProcess } from './killable-process.ts'
import type { Answer, WindowInput } from './recogniser-messages.ts'

/** By this share of its size a model may grow on long texts without being reloaded. */
const GROWTH_PER_BYTE = 0.25

export type RecogniserHostOptions = {
  /** the script that the process runs */
  entry: string
  threads: number
  /** a busy process that sends no message for this long is killed; a larger model gets longer */
  heartbeatTimeoutMs: number
  /** growth since the first window, plus a share of the model, after which the process is replaced between two windows */
  recycleGrowthBytes: number
  log: Log
}

export type HostedWindow = {
  window: WindowInput
  deadlineMs: number
  signal: AbortSignal
  onProgress: (fraction: number) => void
  onSegment: (segment: Segment) => void
}

/**
 * The process ended because of another window, or while others ran that may have caused it. The caller repeats the
 * window alone; if the process ends again, that window is the cause.
 */
export const INTERRUPTED = 'interrupted'

type RunningWindow = { isInterrupted: boolean }

export const createRecogniserHost = (options: RecogniserHostOptions) => {
  const { entry, heartbeatTimeoutMs, recycleGrowthBytes, log } = options
  let threads = options.threads
  let threadsTried = false
  let child: KillableProcess | null = null
  let loaded: ModelFile | null = null
  let windows = 1
  let stops = false
  const running = new Set<RunningWindow>()
  let firstWindowBytes: number | null = null
  let restarts = 0
  let closed = false

  const start = () => {
    const started = startProcess(entry)
    child = started
    log.debug({ pid: started.pid }, 'engine process started')
    return started
  }

  const discard = async () => {
    const old = child
    child = null
    loaded = null
    firstWindowBytes = null
    await old?.kill()
  }

  /** Starts the next process ahead of the next request, which loads its model. */
  const replace = async () => {
    await discard()
    if (!closed) start()
  }

  const failureOf = async (
    outcome: Exclude<ProcessOutcome, { kind: 'answered' | 'stopped' }>,
  ): Promise<EngineFailure> => {
    await replace()
    if (outcome.kind === 'aborted') return ABORTED
    restarts += 1
    log.warn({ outcome: outcome.kind, restarts }, outcome.message)
    return {
      code: outcome.kind === 'timeout' ? 'engine_timeout' : 'engine_crashed',
      message: outcome.message,
    }
  }

  const failureAnswered = async (answer: Answer): Promise<EngineFailure> => {
    if (answer.kind !== 'failed') throw new Error(`the recogniser answered with ${answer.kind}`)
    const { error } = answer
    await replace()
    if (error.code === 'model_unreadable') return { code: error.code, message: error.message }
    restarts += 1
    log.warn({ code: error.code, restarts }, 'engine failed')
    return { code: 'engine_crashed', message: error.message }
  }

  const hasLoaded = ({ path, bytes }: ModelFile) =>
    child?.isAlive() === true && loaded?.path === path && loaded.bytes === bytes

  const load = async (
    model: ModelFile,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Result<void, EngineFailure>> => {
    if (hasLoaded(model)) return succeed(undefined)
    if (loaded || !child?.isAlive()) await discard()
    const process = child ?? start()
    const outcome = await process.request({
      message: { kind: 'load', model, threads, threadsTried },
      ...{ deadlineMs, signal, sideBySide: false, silenceMs: null, stops: false },
      onEvent: () => {},
    })
    if (outcome.kind === 'stopped') return fail(ABORTED)
    if (outcome.kind !== 'answered') return fail(await failureOf(outcome))
    const { answer } = outcome
    if (answer.kind === 'failed' && answer.error.code === 'threads_broken' && threads > 1) {
      log.warn({ threads }, 'threads do not work on this machine; continuing with one')
      threads = 1
      await replace()
      return load(model, deadlineMs, signal)
    }
    if (answer.kind === 'failed') return fail(await failureAnswered(answer))
    if (answer.kind !== 'loaded') throw new Error(`the recogniser answered a model with ${answer.kind}`)
    threadsTried = true
    loaded = model
    windows = answer.windows
    stops = answer.stops
    return succeed(undefined)
  }

  const recycleWhenGrown = async (residentBytes: number) => {
    if (running.size > 0) return
    firstWindowBytes ??= residentBytes
    const growth = recycleGrowthBytes + GROWTH_PER_BYTE * (loaded?.bytes ?? 0)
    if (residentBytes - firstWindowBytes < growth) return
    log.info({ residentBytes, firstWindowBytes }, 'engine process has grown and is replaced')
    await replace()
  }

  const transcribe = async (
    job: HostedWindow,
  ): Promise<Result<WindowTranscript, EngineFailure> | typeof INTERRUPTED> => {
    if (!child || !loaded) throw new Error('a model must be loaded first')
    const current: RunningWindow = { isInterrupted: false }
    running.add(current)
    const outcome = await child.request({
      message: { kind: 'transcribe', window: job.window },
      deadlineMs: job.deadlineMs,
      sideBySide: job.window.sideBySide === true,
      silenceMs: longestSilenceMs(loaded, heartbeatTimeoutMs),
      stops,
      signal: job.signal,
      onEvent: (event) =>
        event.kind === 'progress' ? job.onProgress(event.fraction) : job.onSegment(event.segment),
    })
    running.delete(current)
    if (outcome.kind === 'answered' && outcome.answer.kind === 'transcribed') {
      await recycleWhenGrown(outcome.answer.residentBytes)
      return succeed(outcome.answer.transcript)
    }
    if (outcome.kind === 'stopped') return fail(ABORTED)
    if (current.isInterrupted) return INTERRUPTED
    const mayBeUnrelated = running.size > 0 && outcome.kind !== 'aborted'
    for (const other of running) other.isInterrupted = true
    const failure = await (outcome.kind === 'answered' ? failureAnswered(outcome.answer) : failureOf(outcome))
    return mayBeUnrelated ? INTERRUPTED : fail(failure)
  }

  return {
    load,
    hasLoaded,
    windows: () => windows,
    transcribe,
    discard,
    warmUp: () => {
      if (loaded) child?.send({ kind: 'warmUp' })
    },
    close: async () => {
      closed = true
      await discard()
    },
    threads: () => threads,
    restarts: () => restarts,
    loadedModel: () => (child?.isAlive() ? (loaded?.name ?? null) : null),
    isSilent: () => loaded !== null && (child?.silentMs() ?? 0) >= suspiciousSilenceMs(loaded),
  }
}
