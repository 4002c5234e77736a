// An Engine whose recogniser runs in a process of its own: served in turn, killed when it must be, started again.
// Knows no recogniser by name; what can be said to one is recogniser-messages.ts.

import { fail, type Result, succeed } from '../lib/result.ts'
import { loadDeadlineMs, windowDeadlineMs } from './deadlines.ts'
import type { Engine, EngineFailure, EngineHealth, EngineInfo, ModelFile, WindowRequest } from './engine.ts'
import { ABORTED, SAMPLE_RATE } from './engine.ts'
import { createRecogniserHost, type RecogniserHostOptions } from './recogniser-host.ts'
import { createSerialQueue } from './serial-queue.ts'

export type ProcessEngineOptions = RecogniserHostOptions & {
  info: Omit<EngineInfo, 'threads'>
  /** after so long without work its memory is given back; asked each time there is nothing left to do */
  idleUnloadMs: () => number
}

const CLOSED: EngineFailure = { code: 'engine_closed', message: 'The server is stopping.' }

export const createProcessEngine = ({ info, idleUnloadMs, ...hostOptions }: ProcessEngineOptions): Engine => {
  const host = createRecogniserHost(hostOptions)
  const queue = createSerialQueue()
  const closing = new AbortController()
  let activity: 'loading' | 'busy' | null = null
  let idleTimer: ReturnType<typeof setTimeout> | undefined

  const unloadWhenIdle = () => {
    clearTimeout(idleTimer)
    if (closing.signal.aborted || queue.size() > 1) return
    idleTimer = setTimeout(() => void unload(), idleUnloadMs())
    idleTimer.unref()
  }

  /** Runs in turn; whatever it was cut short by is named after the reason, not after its symptom. */
  const inTurn = async <T>(
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result<T, EngineFailure>>,
  ): Promise<Result<T, EngineFailure>> => {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    clearTimeout(idleTimer)
    const result = await queue.add(async () => {
      try {
        return await run(stop)
      } finally {
        activity = null
        unloadWhenIdle()
      }
    }, stop)
    if (closing.signal.aborted) return fail(CLOSED)
    return result ?? fail(ABORTED)
  }

  const loadNow = async (model: ModelFile, signal: AbortSignal) => {
    activity = 'loading'
    const startedAt = performance.now()
    const loaded = await host.load(model, loadDeadlineMs(model), signal)
    return loaded.ok ? succeed({ loadMs: Math.round(performance.now() - startedAt) }) : loaded
  }

  const transcribeNow = async (request: WindowRequest, signal: AbortSignal) => {
    const { model, samples, language, parts, task, prompt, preferences, tokens, secondPass, draft } = request
    const loaded = await loadNow(model, signal)
    if (!loaded.ok) return loaded
    activity = 'busy'
    return host.transcribe({
      window: { samples, language, parts, task, prompt, preferences, tokens, secondPass, draft },
      deadlineMs: windowDeadlineMs(model, samples.length / SAMPLE_RATE),
      signal,
      onProgress: (fraction) => request.onProgress?.(fraction),
      onSegment: (segment) => request.onSegment?.(segment),
    })
  }

  const unload = async () => {
    await inTurn(undefined, async () => succeed(await host.discard()))
    clearTimeout(idleTimer)
  }

  const health = (): EngineHealth => ({
    state: host.isSilent() ? 'stuck' : (activity ?? (host.loadedModel() ? 'ready' : 'unloaded')),
    loadedModel: host.loadedModel(),
    restarts: host.restarts(),
  })

  return {
    info: () => ({ ...info, threads: host.threads() }),
    health,
    load: (model, signal) => inTurn(signal, (stop) => loadNow(model, stop)),
    transcribe: (request) => inTurn(request.signal, (stop) => transcribeNow(request, stop)),
    unload,
    rehearse: () => {
      if (queue.size() === 0) host.rehearse()
    },
    close: async () => {
      closing.abort()
      clearTimeout(idleTimer)
      await host.close()
    },
  }
}
