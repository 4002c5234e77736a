// The engine for everyday: our own where it can, whisper.cpp where it cannot or where it fails.
// Knows both by the contract alone.

import type { Log } from '../lib/log.ts'
import { fail, type Result } from '../lib/result.ts'
import type { Engine, EngineFailure, ModelFile, WindowRequest } from './engine.ts'

/** A model that breaks the preferred engine so often in a row is left to the other one, for a while. */
const MOST_FAILURES = 2
/** Twice as long after each failure more: what somebody killed from outside, or want of memory, is over some time. */
const FIRST_LEFT_MS = 60_000
const LONGEST_LEFT_MS = 3_600_000

/** The reference would know no better than before, and would have to load the model for it. */
const NOT_AGAIN: EngineFailure = {
  code: 'engine_crashed',
  message: 'This model is left to whisper.cpp, which makes no second pass.',
}

type AutoEngineDeps = {
  preferred: Engine
  reference: Engine
  /** how long a model is left to the reference at first; a minute unless given */
  firstLeftMs?: number
  log: Log
}

/** Whether the other engine may do better: not where nobody waits any more. */
const mayTryAgain = ({ code }: EngineFailure) => code !== 'aborted' && code !== 'engine_closed'

/** The sum of the two counts of restarts; whatever else is told is told of the engine used last. The preferred one alone hears again. */
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
    // What it cannot read it never will.
    const leftUntil = code === 'model_unreadable' ? Number.POSITIVE_INFINITY : performance.now() + leftMs
    failures.set(identity(model), { count, leftUntil })
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
    if (request.secondPass)
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
    info: () => ({ ...current.info(), secondPass: preferred.info().secondPass }),
    health: () => ({
      ...current.health(),
      restarts: preferred.health().restarts + reference.health().restarts,
    }),
    load: (model, signal) => firstThatCan(model, (engine) => engine.load(model, signal)),
    transcribe,
    rehearse: () => current.rehearse(),
    unload: async () => void (await Promise.all([preferred.unload(), reference.unload()])),
    close: async () => void (await Promise.all([preferred.close(), reference.close()])),
  }
}
