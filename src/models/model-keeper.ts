// Loads, unloads and removes models for a client; refuses while a transcription uses the model.

import type { Engine, EngineFailure } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { Downloads } from './downloads.ts'
import type { ModelUse } from './model-use.ts'
import type { ModelFailure, ModelStore } from './store.ts'

export type KeeperFailure = {
  code: 'model_not_found' | 'model_in_use' | 'model_is_bundled'
  message: string
  conflictingId?: string
}

export type ModelKeeper = ReturnType<typeof createModelKeeper>

export function createModelKeeper({
  store,
  engine,
  modelUse,
  downloads,
}: {
  store: Pick<ModelStore, 'resolve' | 'find' | 'remove'>
  engine: Pick<Engine, 'load' | 'unload' | 'health'>
  modelUse: Pick<ModelUse, 'isInUse' | 'isAnyInUse'>
  downloads: Pick<Downloads, 'cancel'>
}) {
  const isLoaded = (name: string) => engine.health().loadedModel === name

  return {
    /** @param name null: the default model */
    async load(
      name: string | null,
      signal: AbortSignal,
    ): Promise<Result<{ name: string; loadMs: number }, ModelFailure | EngineFailure>> {
      const model = await store.resolve(name)
      if (!model.ok) return model
      const loaded = await engine.load(model.value, signal)
      return loaded.ok ? succeed({ name: model.value.name, loadMs: loaded.value.loadMs }) : loaded
    },

    /** Frees the engine's memory. @returns whether the model was loaded */
    async unload(name: string): Promise<Result<boolean, KeeperFailure>> {
      const model = await store.find(name)
      if (model === null) return fail(notFound(name))
      if (!isLoaded(model.name)) return succeed(false)
      if (modelUse.isInUse(model.path)) return fail(inUse(model.name))
      await engine.unload()
      return succeed(true)
    },

    async unloadAny(): Promise<Result<string | null, KeeperFailure>> {
      const { loadedModel } = engine.health()
      if (loadedModel === null) return succeed(null)
      if (modelUse.isAnyInUse()) return fail(inUse(loadedModel))
      await engine.unload()
      return succeed(loadedModel)
    },

    /** Removes the file, or the part of a download. @throws file system errors */
    async remove(name: string): Promise<Result<string, KeeperFailure>> {
      const model = await store.find(name)
      if (model === null) return (await downloads.cancel(name)) ? succeed(name) : fail(notFound(name))
      if (model.bundled) return fail(bundled(model.name))
      if (modelUse.isInUse(model.path)) return fail(inUse(model.name))
      if (isLoaded(model.name)) await engine.unload()
      // A transcription may have started during the unload.
      if (modelUse.isInUse(model.path)) return fail(inUse(model.name))
      await store.remove(model)
      return succeed(model.name)
    },
  }
}

const notFound = (name: string): KeeperFailure => ({
  code: 'model_not_found',
  message: `The model ${JSON.stringify(name)} is not installed. GET /models/status lists the installed models.`,
})

const inUse = (name: string): KeeperFailure => ({
  code: 'model_in_use',
  message: `${name} is in use by a transcription. Try again when it is done, or cancel it.`,
  conflictingId: name,
})

const bundled = (name: string): KeeperFailure => ({
  code: 'model_is_bundled',
  message: `${name} is bundled with the server and cannot be deleted.`,
  conflictingId: name,
})
