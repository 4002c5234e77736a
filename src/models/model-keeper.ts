// What a person does with the models on this computer: load, unload, remove.
// Refuses what would pull a model from under a recording; how a model is found and checked is store.ts.

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
    /** @param name null: the one that is taken where none is asked for */
    async load(
      name: string | null,
      signal: AbortSignal,
    ): Promise<Result<{ name: string; loadMs: number }, ModelFailure | EngineFailure>> {
      const model = await store.resolve(name)
      if (!model.ok) return model
      const loaded = await engine.load(model.value, signal)
      return loaded.ok ? succeed({ name: model.value.name, loadMs: loaded.value.loadMs }) : loaded
    },

    /** Gives the memory of the engine back. The value says whether there was something to give back. */
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

    /** Removes the file, and what is there of a download. @throws what the file system throws */
    async remove(name: string): Promise<Result<string, KeeperFailure>> {
      const model = await store.find(name)
      if (model === null) return (await downloads.cancel(name)) ? succeed(name) : fail(notFound(name))
      if (model.bundled) return fail(bundled(model.name))
      if (modelUse.isInUse(model.path)) return fail(inUse(model.name))
      if (isLoaded(model.name)) await engine.unload()
      // A recording may have come in while the engine let go of it.
      if (modelUse.isInUse(model.path)) return fail(inUse(model.name))
      await store.remove(model)
      return succeed(model.name)
    },
  }
}

const notFound = (name: string): KeeperFailure => ({
  code: 'model_not_found',
  message: `There is no model ${JSON.stringify(name)} on this computer; GET /models/status lists what there is.`,
})

const inUse = (name: string): KeeperFailure => ({
  code: 'model_in_use',
  message: `A recording is being transcribed with ${name}; try again when it is done, or cancel it.`,
  conflictingId: name,
})

const bundled = (name: string): KeeperFailure => ({
  code: 'model_is_bundled',
  message: `${name} came with the server and cannot be deleted.`,
  conflictingId: name,
})
