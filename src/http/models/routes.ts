import type { Route } from '../contract/route.ts'
import { modelsFolderRoute } from './cache-dir.ts'
import { deleteModelRoute } from './delete.ts'
import { cancelDownloadRoute, type DownloadRouteDeps, downloadModelRoute } from './download.ts'
import { type ModelImportDeps, modelImportRoute } from './import.ts'
import { loadAnyModelRoute, loadModelRoute, type ModelLoadingDeps } from './load.ts'
import { type WatchDeps, watchDownloadRoute } from './progress.ts'
import { type ReadinessDeps, readinessRoute } from './readiness.ts'
import { type ModelsStatusDeps, modelsStatusRoute } from './status.ts'
import { unloadAnyModelRoute, unloadModelRoute } from './unload.ts'

export type ModelsDeps = ModelsStatusDeps &
  DownloadRouteDeps &
  WatchDeps &
  ModelImportDeps &
  ModelLoadingDeps &
  ReadinessDeps & { folders: { models: string } }

export const modelRoutes = (deps: ModelsDeps): Route[] => [
  modelsStatusRoute(deps),
  modelsFolderRoute(deps),
  downloadModelRoute(deps),
  cancelDownloadRoute(deps),
  watchDownloadRoute(deps),
  modelImportRoute(deps),
  loadModelRoute(deps.modelKeeper),
  loadAnyModelRoute(deps.modelKeeper),
  unloadModelRoute(deps.modelKeeper),
  unloadAnyModelRoute(deps.modelKeeper),
  deleteModelRoute(deps.modelKeeper),
  readinessRoute(deps),
]
