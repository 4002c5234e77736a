// The speech pipeline: decoder, speech detector, engine and models. Needs no database.

import { createAudioDecoder } from './audio/decode.ts'
import { createDecodeAhead } from './audio/decode-ahead.ts'
import { createDecodedAudioCache } from './audio/decoded-audio-cache.ts'
import { createSpeechDetector } from './audio/speech-detector.ts'
import type { Config } from './config.ts'
import { createEngine } from './engine/create-engine.ts'
import { createEngineRoute } from './engine/engine-route.ts'
import { gpuFolderIn } from './engine/gpu/dawn-package.ts'
import type { CleanupStack } from './lib/cleanup-stack.ts'
import { systemClock } from './lib/clock.ts'
import type { EventBus } from './lib/events.ts'
import type { Log } from './lib/log.ts'
import type { ReadKey } from './lib/openai-server.ts'
import { ownFile } from './lib/own-files.ts'
import { createBenchmark, MEASURED_MODEL, openBenchmarkResult } from './models/benchmark.ts'
import { createModels } from './models/models.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import { readLanguage } from './text/language-names.ts'
import type { SegmenterRequest } from './transcription/live/segmenter.ts'
import { createLiveTranscription } from './transcription/live/transcription.ts'
import { createTranscriber, type TranscriptionRequest } from './transcription/transcribe-recording.ts'

type Deps = {
  config: Config
  log: Log
  folders: { data: string; models: string; work: string; decoders: string }
  settings: SettingsStore
  events: EventBus
  readKey: ReadKey
  undo: CleanupStack
}

/** Builds the pipeline; starts nothing. */
export async function createRecognition(deps: Deps) {
  const { config, log, folders, settings, events, readKey, undo } = deps
  const { engine: choice, threads, maxAudioSeconds } = config
  const idleUnloadMs = () => settings.current().modelIdleUnloadSeconds * 1000
  const gpu = () => ({
    use: settings.current().engine ?? config.compute,
    folder: gpuFolderIn(folders.data),
  })
  const openEngine = (more?: { gpu: typeof gpu }) =>
    createEngine({ choice, threads, idleUnloadMs, log, ...more })
  const engine = openEngine({ gpu })
  const route = createEngineRoute({
    local: engine,
    address() {
      const { engineUrl: baseUrl, engineKeyEnv: apiKeyEnv } = settings.current()
      return baseUrl === null ? null : { baseUrl, apiKeyEnv }
    },
    readKey,
    readLanguage,
    log,
  })
  settings.onChange((now, before) => {
    const isSame = now.engineUrl === before.engineUrl && now.engineKeyEnv === before.engineKeyEnv
    if (!isSame) void route.check()
  })
  const detector = createSpeechDetector({ idleUnloadMs, log })
  const decoder = createAudioDecoder({
    workFolder: folders.work,
    decodersFolder: folders.decoders,
    maxAudioSeconds,
    spare: true,
    log,
  })
  undo.push(() => Promise.all([decoder.close(), detector.close(), route.close(), engine.close()]))
  const decodedSounds = createDecodedAudioCache(decoder)
  undo.push(() => decodedSounds.close())
  undo.push(
    events.subscribe(({ event }) => event.name.startsWith('capture.') && decodedSounds.discardDeleted()),
  )
  const speed = await openBenchmarkResult({ dataFolder: folders.data, engine: engine.info(), threads })
  const modelParts = createModels({
    engine,
    log,
    clock: systemClock,
    publish: events.publish,
    bundledFolder: ownFile('src/models'),
    modelsFolder: folders.models,
    preferences: () => [
      { name: settings.current().sttModel, by: 'setting' },
      { name: config.model, by: 'environment' },
    ],
    isTooSlow: speed.isTooSlow,
    baseUrl: () => settings.current().modelBaseUrl ?? config.modelBaseUrl,
  })
  undo.push(() => modelParts.downloads.stop())
  const benchmark = createBenchmark({
    ...modelParts,
    store: modelParts.models,
    result: speed,
    // measures the CPU
    openEngine: () => openEngine(),
    log,
  })
  undo.push(() => benchmark.stop())
  const decodeAhead = createDecodeAhead(decoder)
  const transcriber = createTranscriber({ decoder: decodeAhead, detector, engine: route, log })
  return {
    ...modelParts,
    decoder,
    decodeAhead,
    decodedSounds,
    engine,
    speechDestination: route.destination,
    checkSpeechDestination: route.check,
    detector,
    speed,
    benchmark,
    transcriber: {
      transcribe: (request: TranscriptionRequest) =>
        modelParts.modelUse.during(request.model, () => transcriber.transcribe(request)),
    },
    beginLive(request: SegmenterRequest) {
      const live = createLiveTranscription({ engine, detector }, request)
      // The caller handles failures through `ended`.
      modelParts.modelUse.during(request.model, () => live.ended).catch(() => {})
      return live
    },
  }
}

export type Recognition = Awaited<ReturnType<typeof createRecognition>>

type LoadDeps = Pick<Deps, 'config' | 'log'>

export async function loadBestModel(
  { engine, models }: Recognition,
  { config, log }: LoadDeps,
): Promise<void> {
  const named = config.model === null ? null : await models.resolve(config.model)
  if (named?.ok === false)
    log.warn({ reason: named.failure.message }, 'the model in DICTATION_MODEL cannot be used')
  const model = await models.resolve(null)
  if (!model.ok)
    return log.warn(
      { code: model.failure.code, reason: model.failure.message },
      'no usable model is installed',
    )
  const { name } = model.value
  const loaded = await engine.load(model.value)
  if (loaded.ok) log.info({ model: name, loadMs: loaded.value.loadMs }, 'model loaded')
  else
    log.warn(
      { model: name, code: loaded.failure.code },
      'the model could not be loaded; the next transcription tries again',
    )
}

/** Loads the model again when the setting `engine` changes; a model in use is loaded again by its next window. */
export function followEngineSetting(recognition: Recognition, deps: LoadDeps & Pick<Deps, 'settings'>): void {
  deps.settings.onChange((now, before) => {
    if (now.engine !== before.engine && !recognition.modelUse.isAnyInUse())
      void loadBestModel(recognition, deps)
  })
}

/** Runs in the background. If the result changes the default model, loads that model unless one is in use. */
export function startBenchmark(recognition: Recognition, deps: LoadDeps): void {
  const { models, modelUse, benchmark } = recognition
  let chosen = models.choice().name
  benchmark.start((realTimeFactor) => {
    const choice = models.choice()
    const fields = { model: MEASURED_MODEL.name, realTimeFactor, defaultModel: choice.name }
    deps.log.info(fields, 'measured transcription speed on this computer')
    if (choice.name === chosen) return
    chosen = choice.name
    if (!modelUse.isAnyInUse()) void loadBestModel(recognition, deps)
  })
}
