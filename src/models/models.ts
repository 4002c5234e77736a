// Composes the parts of model management.

import type { Engine } from '../engine/engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Publish } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { createDownloads } from './downloads.ts'
import { createModelImport } from './model-import.ts'
import { createModelKeeper } from './model-keeper.ts'
import { createModelUse } from './model-use.ts'
import { createFolderTurn } from './part-file.ts'
import { createModelStore, type Preference } from './store.ts'

export function createModels({
  bundledFolder,
  modelsFolder,
  preferences,
  isTooSlow,
  baseUrl,
  engine,
  publish,
  clock,
  log,
}: {
  bundledFolder: string
  modelsFolder: string
  preferences: () => readonly Preference[]
  isTooSlow: (name: string) => boolean
  /** of the hub or a mirror, without a trailing slash */
  baseUrl: () => string
  engine: Pick<Engine, 'info' | 'health' | 'load' | 'unload'>
  publish: Publish
  clock: Clock
  log: Log
}) {
  const { maxModelBytes } = engine.info()
  const models = createModelStore({ bundledFolder, modelsFolder, preferences, isTooSlow, maxModelBytes, log })
  const modelUse = createModelUse()
  const shared = { modelsFolder, store: models, folderTurn: createFolderTurn(modelsFolder), maxModelBytes }
  const downloads = createDownloads({ ...shared, baseUrl, publish, clock, log })
  const modelImport = createModelImport(shared)
  const modelKeeper = createModelKeeper({ store: models, engine, modelUse, downloads })
  return { models, modelUse, downloads, modelImport, modelKeeper }
}
