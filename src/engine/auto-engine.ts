// Tries one engine and falls back to another: from whisper-simd to whisper.cpp, or from another computer to this one.

import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { Engine, EngineFailure, ModelFile, WindowRequest } from './engine.ts'

/** After this many failures in a row the model goes to the reference engine for a while. */
const MAX_FAILURES = 2
/** Doubles with each further failure: a kill from outside or a shortage of memory passes. */
const FIRST_FALLBACK_MS = 60_000
const LONGEST_FALLBACK_MS = 3_600_000

/** Requested from the engine that served the first pass; another one may serve the model meanwhile. */
const NO_SECOND_PASS: EngineFailure = {
  code: 'engine_crashed',
  message: 'The engine that currently serves this model has no second pass.',
}

type AutoEngineDeps = {
  preferred: Engine
  reference: Engine
  /** how long a model goes to the reference engine at first; doubles with each further failure. @default 60_000 */
  firstFallbackMs?: number
  /** @default 3_600_000 */
  longestFallbackMs?: number
  log: Log
}

/** Whether the other engine may succeed; no request waits after an abort or a close. */
const canFallBack = ({ code }: EngineFailure) => code !== 'aborted' && code !== 'engine_closed'

const isRemote = ({ code }: EngineFailure) => code === 'remote_failed' || code === 'remote_refused'

/**
 * Health adds up the restarts of both engines; everything else describes the engine used last.
 * Second passes go to the engine that serves the model, if it has them.
 */
export const createAutoEngine = (deps: AutoEngineDeps): Engine => {
  const { preferred, reference, log } = deps
  const { firstFallbackMs = FIRST_FALLBACK_MS, longestFallbackMs = LONGEST_FALLBACK_MS } = deps
  const failures = new Map<string, { count: number; fallbackUntil: number }>()
  let current = preferred

  const identity = ({ path, bytes }: ModelFile) => `${bytes} ${path}`

  const usesReference = (model: ModelFile) =>
    performance.now() < (failures.get(identity(model))?.fallbackUntil ?? 0)

  const noteFailure = (model: ModelFile, { code }: EngineFailure) => {
    const more = code === 'remote_refused' ? MAX_FAILURES : 1
    const count = (failures.get(identity(model))?.count ?? 0) + more
    const longer = count - MAX_FAILURES
    const fallbackMs = longer < 0 ? 0 : Math.min(firstFallbackMs * 2 ** longer, longestFallbackMs)
    // An unreadable file stays unreadable.
    const fallbackUntil =
      code === 'model_unreadable' ? Number.POSITIVE_INFINITY : performance.now() + fallbackMs
    failures.set(identity(model), { count, fallbackUntil })
  }

  /** The preferred engine's result, unless it failed and the reference succeeded. */
  const withFallback = async <T>(
    model: ModelFile,
    run: (engine: Engine) => Promise<Result<T, EngineFailure>>,
  ): Promise<Result<T, EngineFailure>> => {
    if (usesReference(model)) {
      current = reference
      return run(reference)
    }
    current = preferred
    const first = await run(preferred)
    // only failures in a row count
    if (first.ok) failures.delete(identity(model))
    if (first.ok || !canFallBack(first.failure)) return first
    const second = await run(reference)
    if (!second.ok) return canFallBack(second.failure) && !isRemote(first.failure) ? first : second
    const { code, message: reason } = first.failure
    const names = { engine: preferred.info().name, model: model.name }
    log.warn({ ...names, code, reason }, `${reference.info().name} took over`)
    noteFailure(model, first.failure)
    current = reference
    if (usesReference(model)) await preferred.unload()
    return second
  }

  const transcribe = async (request: WindowRequest) => {
    if (request.secondPass) {
      const serving = usesReference(request.model) ? reference : preferred
      return serving.info().secondPass ? serving.transcribe(request) : fail(NO_SECOND_PASS)
    }
    // The reference engine repeats the whole window: drop what the caller has already received.
    let emittedToMs = Number.NEGATIVE_INFINITY
    let fraction = 0
    return withFallback(request.model, (engine) =>
      engine.transcribe({
        ...request,
        onSegment(segment) {
          if (segment.startMs < emittedToMs) return
          emittedToMs = segment.endMs
          request.onSegment?.(segment)
        },
        onProgress(reached) {
          if (reached <= fraction) return
          fraction = reached
          request.onProgress?.(reached)
        },
      }),
    )
  }

  return {
    info() {
      const { secondPass, ...info } = current.info()
      return { ...info, secondPass: secondPass || preferred.info().secondPass }
    },
    health: () => ({
      ...current.health(),
      restarts: preferred.health().restarts + reference.health().restarts,
    }),
    load: (model, signal) => withFallback(model, (engine) => engine.load(model, signal)),
    transcribe,
    warmUp: () => current.warmUp(),
    unload: async () => void (await Promise.all([preferred.unload(), reference.unload()])),
    close: async () => void (await Promise.all([preferred.close(), reference.close()])),
  }
}
