// Builds the web application from what it is given: every resource's routes, behind the guard.
// Never listens and never reads the environment; server.ts and main.ts do.

import type { Decoder } from './audio/decode.ts'
import type { Captures } from './captures/captures.ts'
import type { RetentionKeeper } from './captures/retention-keeper.ts'
import type { Usage } from './captures/usage.ts'
import type { Commands } from './commands/commands.ts'
import type { Dictation } from './dictation/dictation.ts'
import type { Engine } from './engine/engine.ts'
import { batchRoutes } from './http/batches.ts'
import { audioRoute } from './http/capture-audio.ts'
import { captureBulkRoutes } from './http/capture-bulk.ts'
import { exportManyRoute } from './http/capture-bulk-export.ts'
import { createCaptureRoute } from './http/capture-create.ts'
import { exportRoute } from './http/capture-export.ts'
import { refineRoute } from './http/capture-refine.ts'
import { segmentRoute } from './http/capture-segments.ts'
import { captureTrashRoutes } from './http/capture-trash.ts'
import { waveformRoute } from './http/capture-waveform.ts'
import { captureWorkRoutes } from './http/capture-work.ts'
import { captureRoutes } from './http/captures.ts'
import { commandRoutes } from './http/commands.ts'
import { runCommandRoute } from './http/commands-run.ts'
import { type App, composeApp, type WebOptions } from './http/compose-app.ts'
import { dictionaryRoutes } from './http/dictionary.ts'
import { dictionaryFileRoutes } from './http/dictionary-files.ts'
import { dictionaryTestRoute } from './http/dictionary-test.ts'
import { DATABASE_DAMAGED } from './http/errors.ts'
import { eventsRoute } from './http/events.ts'
import { healthRoutes } from './http/health.ts'
import { inferenceRoute } from './http/inference.ts'
import { jobRoutes } from './http/jobs.ts'
import { metricsRoute } from './http/metrics.ts'
import type { Metrics } from './http/metrics-registry.ts'
import { readinessRoute } from './http/model-readiness.ts'
import { modelRoutes } from './http/models.ts'
import { openAiRoutes } from './http/openai.ts'
import { openAiModelRoutes } from './http/openai-models.ts'
import { rootRoute } from './http/root.ts'
import type { Route } from './http/route.ts'
import { settingsRoutes } from './http/settings.ts'
import { statisticsRoutes } from './http/statistics.ts'
import { taskRoutes } from './http/tasks.ts'
import { transcribeRoutes } from './http/transcribe.ts'
import { captureWebhook } from './http/webhook-contract.ts'
import { writingStyleRoutes } from './http/writing-styles.ts'
import { writingStyleWorkRoutes } from './http/writing-styles-work.ts'
import type { Batches } from './jobs/batches.ts'
import type { Jobs } from './jobs/jobs.ts'
import { systemClock } from './lib/clock.ts'
import type { EventBus } from './lib/events.ts'
import type { Downloads } from './models/downloads.ts'
import type { ModelImport } from './models/model-import.ts'
import type { ModelKeeper } from './models/model-keeper.ts'
import type { SpeedRecord } from './models/speed-record.ts'
import type { ModelStore } from './models/store.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import type { TaughtDictionary } from './writing/dictionary.ts'
import type { DetailedRefiner } from './writing/refiner.ts'
import type { WritingStyles } from './writing/styles.ts'
import type { TokenCounters } from './writing/token-counter.ts'

export type AppDependencies = WebOptions & {
  config: WebOptions['config'] & { maxUploadBytes: number; maxQueue: number }
  folders: { data: string; incoming: string; models: string }
  databaseKind: 'embedded' | 'external'
  databaseDamaged: AbortSignal
  /** fires when the server begins to stop: ends what waits and streams */
  shutdown: AbortSignal
  captures: Captures
  usage: Usage
  jobs: Jobs
  batches: Batches
  decoder: Decoder
  engine: Engine
  dictation: Dictation
  heardNow: { count: number }
  settings: SettingsStore
  retention: RetentionKeeper
  dictionary: TaughtDictionary
  tokenCounters: TokenCounters
  styles: WritingStyles
  refiner: DetailedRefiner
  commands: Commands
  models: ModelStore
  speed: SpeedRecord
  downloads: Downloads
  modelImport: ModelImport
  modelKeeper: ModelKeeper
  events: EventBus
  /** tells this run of the server from others */
  runId: string
  metrics: Metrics
}

/** All routes but those of the documentation, which describes them. */
export const createRoutes = (deps: AppDependencies): Route[] => [
  rootRoute(deps),
  ...transcribeRoutes(deps),
  ...openAiRoutes(deps),
  inferenceRoute(deps),
  ...openAiModelRoutes(deps),
  createCaptureRoute(deps),
  ...captureRoutes(deps),
  ...statisticsRoutes(deps.usage),
  audioRoute(deps),
  waveformRoute(deps),
  exportRoute(deps.captures),
  segmentRoute(deps.captures),
  ...captureTrashRoutes(deps.captures),
  ...captureWorkRoutes(deps),
  refineRoute(deps),
  ...captureBulkRoutes(deps),
  exportManyRoute(deps.captures),
  ...jobRoutes(deps.jobs),
  ...batchRoutes(deps.batches),
  ...settingsRoutes(deps),
  ...dictionaryRoutes(deps),
  ...dictionaryFileRoutes(deps),
  dictionaryTestRoute(deps, systemClock),
  ...writingStyleRoutes(deps),
  ...writingStyleWorkRoutes(deps),
  runCommandRoute(deps),
  ...commandRoutes(deps),
  ...modelRoutes(deps),
  readinessRoute(deps),
  eventsRoute(deps),
  ...taskRoutes(deps),
  metricsRoute(deps),
  ...healthRoutes(deps),
]

/** Requests that the server makes, which the document describes as well. */
export const WEBHOOKS = [captureWebhook]

export const createApp = (deps: AppDependencies): Promise<App> =>
  composeApp(createRoutes(deps), {
    ...deps,
    unavailable: () => (deps.databaseDamaged.aborted ? DATABASE_DAMAGED : null),
    webhooks: WEBHOOKS,
  })
