import type { Route } from '../kernel/route.ts'
import {
  cancelDownloadRoute,
  type DownloadRouteDeps,
  downloadModelRoute,
  type ModelImportDeps,
  modelImportRoute,
} from './download.ts'
import {
  deleteModelRoute,
  loadAnyModelRoute,
  loadModelRoute,
  type ModelLoadingDeps,
  modelsFolderRoute,
  unloadAnyModelRoute,
  unloadModelRoute,
} from './models.ts'
import {
  type ModelsStatusDeps,
  modelsStatusRoute,
  type ReadinessDeps,
  readinessRoute,
  type WatchDeps,
  watchDownloadRoute,
} from './status.ts'

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
