// Downloads and lists models without a server. Starts no engine, opens no database and does not lock the data folder.

import type { Config } from '../../config.ts'
import { createEngine } from '../../engine/create-engine.ts'
import { silentLog } from '../../lib/log.ts'
import { ownFile } from '../../lib/own-files.ts'
import { settingsInFiles } from '../../library/move-in.ts'
import { exactName } from '../../models/catalogue.ts'
import type { DownloadState } from '../../models/download-state.ts'
import { isOver } from '../../models/download-state.ts'
import { createModels } from '../../models/models.ts'
import { readSettings } from '../../settings/settings-store.ts'
import type { DownloadOutcome, Source } from './source.ts'

/** Requests the hub directly and downloads into the folder that the server reads. */
export async function localModels({
  dataFolder,
  modelsFolder,
  modelBaseUrl,
  engine: choice,
}: Config): Promise<Source> {
  const log = silentLog
  const settings = readSettings(await settingsInFiles(dataFolder), log)
  // Never loads a model: it only reports which ones it could load.
  const engine = createEngine({ choice, threads: 1, idleUnloadMs: () => 0, log })
  const { models, downloads } = createModels({
    modelsFolder,
    engine,
    log,
    clock: () => new Date(),
    publish() {},
    bundledFolder: ownFile('src/models'),
    preferences: () => [],
    isTooSlow: () => false,
    baseUrl: () => settings.modelBaseUrl ?? modelBaseUrl,
  })
  return {
    async list() {
      const all = await models.status(null)
      return all.map((model) => ({
        name: exactName(model),
        displayName: model.displayName,
        downloaded: model.downloaded,
        recommended: model.recommended,
        sizeMb: model.sizeMb ?? model.expectedSizeMb,
      }))
    },
    async get(name, onProgress): Promise<DownloadOutcome> {
      const ended = Promise.withResolvers<DownloadState>()
      downloads.watch((state) => (isOver(state) ? ended.resolve(state) : onProgress(state)))
      const started = await downloads.start(name)
      if (!started.ok) return { status: 'refused', ...started.failure }
      if (started.value.outcome === 'already_here')
        return { status: 'already_here', name: started.value.name }
      const state = await ended.promise
      if (state.status === 'complete') return { status: 'complete', name: state.name }
      return { status: 'failed', message: state.error ?? 'The download was cancelled.' }
    },
    async interrupt() {
      await downloads.stop('interrupted')
      return 'Interrupted. The partial download is kept; run the same command to resume it.'
    },
  }
}
