// The default engine: whisper-simd first, whisper.cpp where that one fails.

import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { Engine, EngineFailure, ModelFile, WindowRequest } from './engine.ts'

/** After this many failures in a row the model goes to the reference engine for a while. */
const MOST_FAILURES = 2
/** Doubles with each further failure: a kill from outside or a shortage of memory passes. */
const FIRST_LEFT_MS = 60_000
const LONGEST_LEFT_MS = 3_600_000

/** The reference engine has no second pass, and would have to load the model to find that out. */
const NOT_AGAIN: EngineFailure = {
  code: 'engine_crashed',
  message: 'whisper.cpp serves this model for now, and it has no second pass.',
}

type AutoEngineDeps = {
  preferred: Engine
  reference: Engine
  /** how long a model goes to the reference engine at first; doubles with each further failure. @default 60_000 */
  firstLeftMs?: number
  log: Log
}

/** Whether the other engine may succeed; no request waits after an abort or a close. */
const mayTryAgain = ({ code }: EngineFailure) => code !== 'aborted' && code !== 'engine_closed'

/**
 * Health adds up the restarts of both engines; everything else describes the engine used last.
 * Second passes go to the preferred engine only.
 */
export const createAutoEngine = (deps: AutoEngineDeps): Engine => {
  const { preferred, reference, firstLeftMs = FIRST_LEFT_MS, log } = deps
  const failures = new Map<string, { count: number; leftUntil: number }>()
  let current = preferred

  const identity = ({ path, bytes }: ModelFile) => `${bytes} ${path}`

  const isLeftToReference = (model: ModelFile) =>
    performance.now() < (failures.get(identity(model))?.leftUntil ?? 0)

  const noteFailure = (model: ModelFile, { code }: EngineFailure) => {
    const count = (failures.get(identity(model))?.count ?? 0) + 1
    const longer = count - MOST_FAILURES
    const leftMs = longer < 0 ? 0 : Math.min(firstLeftMs * 2 ** longer, LONGEST_LEFT_MS)
    // An unreadable file stays unreadable.
    const leftUntil = code === 'model_unreadable' ? Number.POSITIVE_INFINITY : performance.now() + leftMs
    failures.set(identity(model), { count, leftUntil })
  }

  /** The preferred engine's result, unless it failed and the reference succeeded. */
  const firstThatCan = async <T>(
    model: ModelFile,
    ask: (engine: Engine) => Promise<Result<T, EngineFailure>>,
  ): Promise<Result<T, EngineFailure>> => {
    if (isLeftToReference(model)) {
      current = reference
      return ask(reference)
    }
    current = preferred
    const first = await ask(preferred)
    // only failures in a row count
    if (first.ok) failures.delete(identity(model))
    if (first.ok || !mayTryAgain(first.failure)) return first
    const second = await ask(reference)
    if (!second.ok) return mayTryAgain(second.failure) ? first : second
    const { name } = preferred.info()
    log.warn({ engine: name, model: model.name, code: first.failure.code }, 'whisper.cpp took over')
    noteFailure(model, first.failure)
    current = reference
    if (isLeftToReference(model)) await preferred.unload()
    return second
  }

  const transcribe = async (request: WindowRequest) => {
    if (request.secondPass)
      return isLeftToReference(request.model) ? fail(NOT_AGAIN) : preferred.transcribe(request)
    // The reference engine repeats the whole window: drop what the caller has already received.
    let toldToMs = Number.NEGATIVE_INFINITY
    let fraction = 0
    return firstThatCan(request.model, (engine) =>
      engine.transcribe({
        ...request,
        onSegment(segment) {
          if (segment.startMs < toldToMs) return
          toldToMs = segment.endMs
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
    info: () => ({ ...current.info(), secondPass: preferred.info().secondPass }),
    health: () => ({
      ...current.health(),
      restarts: preferred.health().restarts + reference.health().restarts,
    }),
    load: (model, signal) => firstThatCan(model, (engine) => engine.load(model, signal)),
    transcribe,
    warmUp: () => current.warmUp(),
    unload: async () => void (await Promise.all([preferred.unload(), reference.unload()])),
    close: async () => void (await Promise.all([preferred.close(), reference.close()])),
  }
}
