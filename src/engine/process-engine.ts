// An Engine that runs its recogniser in a child process, which hosts one model: schedules requests and repeats interrupted
// ones.

import { fail, type Result, succeed } from '../lib/result.ts'
import { createTurns, type Turn } from '../lib/turns.ts'
import type { Engine, EngineFailure, EngineHealth, EngineInfo, ModelFile, WindowRequest } from './engine.ts'
import { ABORTED } from './engine.ts'
import { createRecogniserHost, INTERRUPTED, type RecogniserHostOptions } from './recogniser-host.ts'

export type ProcessEngineOptions = RecogniserHostOptions & {
  info: Omit<EngineInfo, 'threads' | 'windows' | 'device'>
}

const CLOSED: EngineFailure = { code: 'engine_closed', message: 'The server is stopping.' }

const alone = (): Turn => 'alone'

export const createProcessEngine = ({ info, ...hostOptions }: ProcessEngineOptions): Engine => {
  const host = createRecogniserHost(hostOptions)
  const turns = createTurns(host.windows)
  const closing = new AbortController()
  const active = { loading: 0, busy: 0 }

  const during = async <T>(activity: keyof typeof active, run: () => Promise<T>): Promise<T> => {
    active[activity] += 1
    try {
      return await run()
    } finally {
      active[activity] -= 1
    }
  }

  /** Runs in turn. The failure of a task that was cut short names the cause (closed, aborted), not the symptom. */
  const inTurn = async <T, Other = never>(
    { turn, signal }: { turn: () => Turn; signal: AbortSignal | undefined },
    run: (signal: AbortSignal) => Promise<Result<T, EngineFailure> | Other>,
  ): Promise<Result<T, EngineFailure> | Other> => {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
    const result = await turns.add(turn, () => run(stop), stop)
    if (closing.signal.aborted) return fail(CLOSED)
    return result ?? fail(ABORTED)
  }

  const loadNow = (model: ModelFile, signal: AbortSignal) =>
    during('loading', async () => {
      const startedAt = performance.now()
      const loaded = await host.load(model, signal)
      return loaded.ok ? succeed({ loadMs: Math.round(performance.now() - startedAt) }) : loaded
    })

  const transcribeNow = async (request: WindowRequest, signal: AbortSignal) => {
    const loaded = await loadNow(request.model, signal)
    return loaded.ok ? during('busy', () => host.transcribe(request, signal)) : loaded
  }

  const transcribe = async (request: WindowRequest) => {
    const { model, signal } = request
    const turn = (): Turn => {
      if (!host.hasLoaded(model)) return 'alone'
      if (request.preview) return 'last'
      return request.sideBySide && host.windows() > 1 ? 'beside' : 'first'
    }
    const first = await inTurn({ turn, signal }, (stop) => transcribeNow(request, stop))
    if (first !== INTERRUPTED) return first
    const second = await inTurn({ turn: alone, signal }, (stop) => transcribeNow(request, stop))
    if (second === INTERRUPTED) throw new Error('a window that ran alone was interrupted')
    return second
  }

  const unload = async () => {
    await inTurn({ turn: alone, signal: undefined }, async () => succeed(await host.discard()))
  }

  const health = (): EngineHealth => {
    const atWork = active.loading > 0 ? 'loading' : active.busy > 0 ? 'busy' : null
    return {
      state: host.isSilent() ? 'stuck' : (atWork ?? (host.loadedModel() ? 'ready' : 'unloaded')),
      loadedModel: host.loadedModel(),
      restarts: host.restarts(),
    }
  }

  return {
    info: () => ({ ...info, threads: host.threads(), windows: host.windows(), device: host.device() }),
    health,
    load: (model, signal) => {
      const turn = (): Turn => (host.hasLoaded(model) ? 'first' : 'alone')
      return inTurn({ turn, signal }, (stop) => loadNow(model, stop))
    },
    transcribe,
    unload,
    warmUp: () => {
      if (turns.size() === 0) host.warmUp()
    },
    close: async () => {
      closing.abort()
      await host.close()
    },
  }
}
