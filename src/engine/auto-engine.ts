// The engine for everyday: our own where it can, whisper.cpp where it cannot or where it fails.
// Knows both by the contract alone.

import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { Engine, EngineFailure, ModelFile, WindowRequest } from './engine.ts'

/** A model that breaks the preferred engine so often in a row is left to the other one. */
const MOST_FAILURES = 2

/** The reference would know no better than before, and would have to load the model for it. */
const NOT_AGAIN: EngineFailure = {
  code: 'engine_crashed',
  message: 'This model is left to whisper.cpp, which hears no window again.',
}

type AutoEngineDeps = { preferred: Engine; reference: Engine; log: Log }

/** Whether the other engine may do better: not where nobody waits any more. */
const mayTryAgain = ({ code }: EngineFailure) => code !== 'aborted' && code !== 'engine_closed'

/** The sum of the two counts of restarts; whatever else is told is told of the engine used last. The preferred one alone hears again. */
export const createAutoEngine = ({ preferred, reference, log }: AutoEngineDeps): Engine => {
  const failures = new Map<string, number>()
  let current = preferred

  const identity = ({ path, bytes }: ModelFile) => `${bytes} ${path}`

  const isLeftToReference = (model: ModelFile) => (failures.get(identity(model)) ?? 0) >= MOST_FAILURES

  const noteFailure = (model: ModelFile, failure: EngineFailure) => {
    const count =
      failure.code === 'model_unreadable' ? MOST_FAILURES : (failures.get(identity(model)) ?? 0) + 1
    failures.set(identity(model), count)
  }

  /** What the preferred engine says, unless it failed and the other did not. */
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
    // what went wrong long ago says nothing about a model that works
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
    if (request.again)
      return isLeftToReference(request.model) ? fail(NOT_AGAIN) : preferred.transcribe(request)
    // A window that is heard a second time tells nothing twice.
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
    info: () => ({ ...current.info(), again: preferred.info().again }),
    health: () => ({
      ...current.health(),
      restarts: preferred.health().restarts + reference.health().restarts,
    }),
    load: (model, signal) => firstThatCan(model, (engine) => engine.load(model, signal)),
    transcribe,
    unload: async () => void (await Promise.all([preferred.unload(), reference.unload()])),
    close: async () => void (await Promise.all([preferred.close(), reference.close()])),
  }
}
