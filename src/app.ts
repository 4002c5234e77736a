// The web application: the routes of the API, by resource, behind the guard.

import type { Captures } from './captures/captures.ts'
import type { Usage } from './captures/statistics.ts'
import {
  audioRoute,
  type CaptureAudioDeps,
  type CaptureWaveformDeps,
  waveformRoute,
} from './http/captures/audio.ts'
import { deleteManyRoute, type RetranscribeManyDeps, retranscribeManyRoute } from './http/captures/bulk.ts'
import {
  cancelCaptureRoute,
  captureTrashRoutes,
  deleteCaptureRoute,
  getCaptureRoute,
  listCapturesRoute,
  type UpdateDeps,
  updateCaptureRoute,
} from './http/captures/captures.ts'
import { type CaptureCreateDeps, createCaptureRoute } from './http/captures/create.ts'
import { exportManyRoute, exportRoute } from './http/captures/export.ts'
import {
  type CaptureRefineDeps,
  type RetranscribeDeps,
  refineRoute,
  retranscribeCaptureRoute,
} from './http/captures/retranscribe.ts'
import { appsRoute, statisticsRoute } from './http/captures/stats.ts'
import { tagsRoute } from './http/captures/tags.ts'
import { captureVersionsRoute, restoreVersionRoute, segmentRoute } from './http/captures/versions.ts'
import { captureWebhook } from './http/captures/webhook.ts'
import {
  clearCommandRunsRoute,
  createCommandRoute,
  deleteCommandRoute,
  getCommandRoute,
  listCommandRunsRoute,
  listCommandsRoute,
  replaceCommandRoute,
  type SavedCommandsDeps,
} from './http/commands/commands.ts'
import { type RunCommandDeps, runCommandRoute } from './http/commands/run.ts'
import { type OpenAiModelsDeps, openAiModelRoutes } from './http/compat/openai/models.ts'
import { type RealtimeRouteDeps, realtimeRoute } from './http/compat/openai/realtime/realtime.ts'
import { openAiRoutes } from './http/compat/openai/transcriptions.ts'
import { inferenceRoute } from './http/compat/whisper-cpp/inference.ts'
import { type App, composeApp, type WebOptions } from './http/compose-app.ts'
import {
  clearDictionaryRoute,
  createEntryRoute,
  deleteEntryRoute,
  getEntryRoute,
  listDictionaryRoute,
  replaceEntryRoute,
  updateEntryRoute,
} from './http/dictionary/dictionary.ts'
import { exportDictionaryRoute, importDictionaryRoute } from './http/dictionary/import.ts'
import { type DictionaryTestDeps, dictionaryTestRoute } from './http/dictionary/test.ts'
import { cancelBatchRoute, getBatchRoute, listBatchesRoute } from './http/jobs/batches.ts'
import { cancelJobRoute, getJobRoute, listJobsRoute, listWorkersRoute } from './http/jobs/jobs.ts'
import type { Route } from './http/kernel/route.ts'
import { mcpRoutes } from './http/mcp/mcp.ts'
import {
  cancelDownloadRoute,
  type DownloadRouteDeps,
  downloadModelRoute,
  type ModelImportDeps,
  modelImportRoute,
} from './http/models/download.ts'
import {
  deleteModelRoute,
  loadAnyModelRoute,
  loadModelRoute,
  type ModelLoadingDeps,
  modelsFolderRoute,
  unloadAnyModelRoute,
  unloadModelRoute,
} from './http/models/models.ts'
import {
  type ModelsStatusDeps,
  modelsStatusRoute,
  type ReadinessDeps,
  readinessRoute,
  type WatchDeps,
  watchDownloadRoute,
} from './http/models/status.ts'
import type { Metrics } from './http/server/metrics-registry.ts'
import { databaseProblem } from './http/server/router.ts'
import { type EventsDeps, eventsRoute } from './http/service/events.ts'
import {
  type FilesystemDeps,
  filesystemHealthRoute,
  type HealthDeps,
  healthRoute,
} from './http/service/health.ts'
import { metricsRoute } from './http/service/metrics.ts'
import { type TasksDeps, taskRoutes } from './http/service/tasks.ts'
import { changeSettingsRoute, readSettingsRoute, type SettingsDeps } from './http/settings/settings.ts'
import { type LiveRouteDeps, liveRoute } from './http/transcribe/live/live.ts'
import type { TranscribeRouteDeps } from './http/transcribe/stream.ts'
import { transcribeRoute } from './http/transcribe/transcribe.ts'
import { matchStyleRoute, type PreviewDeps, previewStyleRoute } from './http/writing-styles/preview.ts'
import {
  createStyleRoute,
  deleteStyleRoute,
  getStyleRoute,
  listStylesRoute,
  replaceStyleRoute,
  resetStyleRoute,
  setDefaultStyleRoute,
  updateStyleRoute,
} from './http/writing-styles/writing-styles.ts'
import type { Batches } from './jobs/batches.ts'
import type { Jobs } from './jobs/jobs.ts'
import { type Clock, systemClock } from './lib/clock.ts'

export const transcribeRoutes = (deps: TranscribeRouteDeps & LiveRouteDeps): Route[] => [
  transcribeRoute(deps),
  liveRoute(deps),
]

export const compatRoutes = (deps: TranscribeRouteDeps & OpenAiModelsDeps & RealtimeRouteDeps): Route[] => [
  ...openAiRoutes(deps),
  realtimeRoute(deps),
  inferenceRoute(deps),
  ...openAiModelRoutes(deps),
]

export type CaptureRoutesDeps = { captures: Captures; usage: Usage } & CaptureCreateDeps &
  UpdateDeps &
  CaptureAudioDeps &
  CaptureWaveformDeps &
  RetranscribeDeps &
  RetranscribeManyDeps &
  CaptureRefineDeps

export const captureRoutes = (deps: CaptureRoutesDeps): Route[] => [
  createCaptureRoute(deps),
  listCapturesRoute(deps.captures),
  getCaptureRoute(deps.captures),
  updateCaptureRoute(deps),
  deleteCaptureRoute(deps.captures),
  tagsRoute(deps.captures),
  statisticsRoute(deps.usage),
  appsRoute(deps.usage),
  audioRoute(deps),
  waveformRoute(deps),
  exportRoute(deps.captures),
  segmentRoute(deps.captures),
  ...captureTrashRoutes(deps.captures),
  retranscribeCaptureRoute(deps),
  cancelCaptureRoute(deps.captures),
  captureVersionsRoute(deps.captures),
  restoreVersionRoute(deps.captures),
  refineRoute(deps),
  retranscribeManyRoute(deps),
  deleteManyRoute(deps),
  exportManyRoute(deps.captures),
]

export type JobsDeps = { jobs: Jobs; batches: Batches }

export const jobRoutes = ({ jobs, batches }: JobsDeps): Route[] => [
  listJobsRoute(jobs),
  listWorkersRoute(jobs),
  getJobRoute(jobs),
  cancelJobRoute(jobs),
  listBatchesRoute(batches),
  getBatchRoute(batches),
  cancelBatchRoute(batches),
]

export const settingsRoutes = (deps: SettingsDeps): Route[] => [
  readSettingsRoute(deps),
  changeSettingsRoute(deps, 'PUT'),
  changeSettingsRoute(deps, 'PATCH'),
]

export const dictionaryRoutes = (deps: DictionaryTestDeps, clock: Clock = systemClock): Route[] => [
  listDictionaryRoute(deps.dictionary),
  createEntryRoute(deps.dictionary),
  clearDictionaryRoute(deps.dictionary),
  getEntryRoute(deps.dictionary),
  replaceEntryRoute(deps.dictionary),
  updateEntryRoute(deps.dictionary),
  deleteEntryRoute(deps.dictionary),
  importDictionaryRoute(deps.dictionary),
  exportDictionaryRoute(deps.dictionary),
  dictionaryTestRoute(deps, clock),
]

export const writingStyleRoutes = (deps: PreviewDeps): Route[] => [
  listStylesRoute(deps.styles),
  createStyleRoute(deps),
  getStyleRoute(deps.styles),
  replaceStyleRoute(deps),
  updateStyleRoute(deps),
  deleteStyleRoute(deps.styles),
  matchStyleRoute(deps.styles),
  resetStyleRoute(deps.styles),
  setDefaultStyleRoute(deps.styles),
  previewStyleRoute(deps),
]

export const commandRoutes = (deps: RunCommandDeps & SavedCommandsDeps): Route[] => [
  runCommandRoute(deps),
  listCommandsRoute(deps),
  createCommandRoute(deps),
  listCommandRunsRoute(deps),
  clearCommandRunsRoute(deps),
  getCommandRoute(deps),
  replaceCommandRoute(deps),
  deleteCommandRoute(deps),
]

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

export type ServiceDeps = HealthDeps & FilesystemDeps & EventsDeps & TasksDeps & { metrics: Metrics }

export const serviceRoutes = (deps: ServiceDeps): Route[] => [
  eventsRoute(deps),
  ...taskRoutes(deps),
  metricsRoute(deps),
  healthRoute(deps),
  filesystemHealthRoute(deps),
]

/** In the order of the OpenAPI document. */
const RESOURCES = [
  transcribeRoutes,
  compatRoutes,
  captureRoutes,
  jobRoutes,
  settingsRoutes,
  dictionaryRoutes,
  writingStyleRoutes,
  commandRoutes,
  modelRoutes,
  serviceRoutes,
  mcpRoutes,
] as const

/** The intersection of a union's members. */
type All<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never

/** The dependencies of all routes together. */
export type AppDependencies = WebOptions & All<Parameters<(typeof RESOURCES)[number]>[0]>

/** All routes except those that compose-app.ts adds. */
export const createRoutes = (deps: AppDependencies): Route[] => RESOURCES.flatMap((routes) => routes(deps))

/** Requests that the server sends; the OpenAPI document describes them, too. */
export const WEBHOOKS = [captureWebhook]

export async function createApp(deps: Omit<AppDependencies, 'callApp'>): Promise<App> {
  const routes = createRoutes({ ...deps, callApp: (request) => app.fetch(request) })
  const app: App = await composeApp(routes, {
    ...deps,
    unavailable: () => (deps.databaseDamaged.aborted ? databaseProblem(deps.databaseDamaged.reason) : null),
    webhooks: WEBHOOKS,
  })
  return app
}
