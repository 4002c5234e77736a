// Takes the lock, opens, wires and starts every part of the server, and closes them in the opposite order.
// The only file that knows all parts; the command line is main.ts.

import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { createApp } from './app.ts'
import { createDecoder } from './audio/decode.ts'
import { createDecodeAhead } from './audio/decode-ahead.ts'
import { createSpeechDetector } from './audio/speech-detector.ts'
import { createCaptures } from './captures/captures.ts'
import { recoverCaptures } from './captures/recovery.ts'
import { applyRetention } from './captures/retention.ts'
import { createUsage } from './captures/usage.ts'
import { openCommands } from './commands/commands.ts'
import type { Config } from './config.ts'
import { createDictation } from './dictation/dictation.ts'
import { createEngine } from './engine/create-engine.ts'
import { wireCapture } from './http/capture-schema.ts'
import { measuredDictation } from './http/measured-dictation.ts'
import { createMetrics, type Metrics } from './http/metrics-registry.ts'
import { serve } from './http/serve.ts'
import { addServerMetrics } from './http/server-metrics.ts'
import { createBatches } from './jobs/batches.ts'
import { createCaptureJob } from './jobs/capture-job.ts'
import { createJobs } from './jobs/jobs.ts'
import { openQueue } from './jobs/queue.ts'
import { startUpkeep } from './jobs/upkeep.ts'
import { openWebhooks } from './jobs/webhook-queue.ts'
import { systemClock } from './lib/clock.ts'
import { createEventBus, type EventBus } from './lib/events.ts'
import { type InstanceLock, takeInstanceLock } from './lib/lock.ts'
import type { Log } from './lib/log.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { systemReason } from './lib/system-reason.ts'
import { createLlmClient } from './llm/llm-client.ts'
import { createModels } from './models/models.ts'
import { openSettings, type SettingsStore } from './settings/settings-store.ts'
import { createTranscriber, type TranscriptionRequest } from './transcription/transcribe-recording.ts'
import { openDictionary } from './writing/dictionary.ts'
import { createRefiner } from './writing/refiner.ts'
import { openWritingStyles } from './writing/styles.ts'
import { createTokenCounters } from './writing/token-counter.ts'

/** What a stop waits for uploads under way. */
const STOP_DEADLINE_MS = 10_000

/** What ends a part that was started; run in the opposite order when the server stops, or could not start. */
type Undo = (() => unknown)[]

export type ServerOptions = {
  config: Config
  log: Log
  version: string
  /** of the environment: keys of language models, which stand in no file of ours */
  readKey: (name: string) => string | undefined
  /** the embedded database, which is compiled while all this is loaded */
  compiled?: Promise<WebAssembly.Module> | undefined
}

type Context = ServerOptions & { undo: Undo }

export type Server = {
  /** the failure is one line for a person; what was started by then is for `stop` to end */
  start(): Promise<Result<void, string>>
  stop(): Promise<void>
}

export function createServer(options: ServerOptions): Server {
  const undo: Undo = []
  return { start: () => start({ ...options, undo }), stop: () => stop(undo, options.log) }
}

async function start(context: Context): Promise<Result<void, string>> {
  const { config, log, undo, compiled } = context
  const folders = foldersOf(config)
  const lock = await takeFolders(folders, context)
  if (!lock.ok) return fail(lock.failure.message)

  const settings = await openSettings({ dataFolder: folders.data, log })
  const events = createEventBus()
  const metrics = createMetrics()
  const recognition = createRecognition(context, { folders, settings, events })
  // A process of its own on a core of its own: it loads while the database opens.
  const modelLoaded = loadBestModel(recognition, log)
  const { databaseUrl } = config
  const opened = await openDatabase({ dataFolder: folders.data, databaseUrl, compiled, log })
  if (!opened.ok) return fail(opened.failure.message)
  const database = opened.value
  undo.push(() => database.close())

  const writing = await openWriting(context, { database, folders, settings })
  const ground = { database, folders, settings, events, metrics }
  const archive = await openArchive(context, { ...ground, ...writing, ...recognition })
  const listening = await listen(context, { ...ground, ...writing, ...recognition, ...archive })
  if (!listening.ok) return fail(listening.failure.message)

  const [url = ''] = listening.value.urls
  await lock.value.announce(url)
  await archive.jobs.start()
  await archive.batches.start()
  await archive.deliveries.start(archive.captures)
  undo.push(startUpkeep({ database, jobs: archive.jobs, retain: archive.retain, settings, log }))
  log.info({ url, urls: listening.value.urls, docs: `${url}/docs`, data: folders.data }, 'ready')
  recognition.downloads
    .resume()
    .catch((error: unknown) => log.error({ reason: String(error) }, 'downloads cannot go on'))
  // The rest of what the first recording would otherwise wait for.
  void modelLoaded.then(() => Promise.all([recognition.decoder.warm(), recognition.detector.warm()]))
  return succeed(undefined)
}

type Folders = ReturnType<typeof foldersOf>

const foldersOf = ({ dataFolder, modelsFolder }: Config) => ({
  data: dataFolder,
  models: modelsFolder,
  incoming: join(dataFolder, 'incoming'),
  work: join(dataFolder, 'work'),
})

/** What the system refuses is told with the setting that names another folder. */
async function takeFolders(
  { data, incoming, models, work }: Folders,
  { undo, log }: Context,
): Promise<Result<InstanceLock, { message: string }>> {
  let using = [data, 'DICTATION_DATA_DIR']
  try {
    const lock = await takeInstanceLock(data, { onWait: (message) => log.warn({}, message) })
    if (!lock.ok) return lock
    undo.push(() => lock.value.release())
    // Decoded samples of the last run are of no use to this one.
    await rm(work, { recursive: true, force: true })
    for (const folder of [incoming, work]) await mkdir(folder, { recursive: true, mode: 0o700 })
    using = [models, 'DICTATION_MODELS_DIR']
    await mkdir(models, { recursive: true, mode: 0o700 })
    return lock
  } catch (error) {
    const [folder, setting] = using
    const reason = systemReason(error)
    if (reason === null) throw error
    const message = `The folder ${folder} cannot be used: ${reason}. Mend that, or let ${setting} name another.`
    return fail({ message })
  }
}

/** From a recording to its text; nothing of it runs yet. */
function createRecognition(
  { config, log, undo }: Context,
  { folders, settings, events }: { folders: Folders; settings: SettingsStore; events: EventBus },
) {
  const { engine: choice, threads, maxAudioSeconds } = config
  const idleUnloadMs = () => settings.current().modelIdleUnloadSeconds * 1000
  const engine = createEngine({ choice, threads, idleUnloadMs, log })
  const detector = createSpeechDetector({ idleUnloadMs, log })
  const decoder = createDecoder({ workFolder: folders.work, maxAudioSeconds, spare: true, log })
  undo.push(() => Promise.all([decoder.close(), detector.close(), engine.close()]))
  const modelParts = createModels({
    ...{ engine, log, clock: systemClock, publish: events.publish },
    bundledFolder: join(import.meta.dir, 'models'),
    modelsFolder: folders.models,
    preferredModel: () => settings.current().sttModel,
    baseUrl: () => settings.current().modelBaseUrl ?? config.modelBaseUrl,
  })
  undo.push(() => modelParts.downloads.stop())
  const decodeAhead = createDecodeAhead(decoder)
  const transcriber = createTranscriber({ decoder: decodeAhead, detector, engine, log })
  return {
    ...modelParts,
    ...{ decoder, decodeAhead, engine, detector },
    transcriber: {
      transcribe: (request: TranscriptionRequest) =>
        modelParts.modelUse.during(request.model, () => transcriber.transcribe(request)),
    },
  }
}

type Recognition = ReturnType<typeof createRecognition>

async function loadBestModel({ engine, models }: Recognition, log: Log): Promise<void> {
  const model = await models.resolve(null)
  if (!model.ok)
    return log.warn({ code: model.failure.code, reason: model.failure.message }, 'no model to load')
  const { name } = model.value
  const loaded = await engine.load(model.value)
  if (loaded.ok) log.info({ model: name, loadMs: loaded.value.loadMs }, 'model loaded')
  else log.warn({ model: name, code: loaded.failure.code }, 'the model was not loaded')
}

type Ground = {
  database: Database
  folders: Folders
  settings: SettingsStore
  events: EventBus
  metrics: Metrics
}

/** What a person taught the server, and what is made of texts with it. */
async function openWriting(
  { log, readKey, undo }: Context,
  { database, folders, settings }: Pick<Ground, 'database' | 'folders' | 'settings'>,
) {
  const place = { database, dataFolder: folders.data, clock: systemClock, log }
  const llm = createLlmClient({ readKey })
  const styles = await openWritingStyles(place)
  const unfinished = settings.unfinished()
  if (unfinished !== null) await styles.setDefault(unfinished)
  await settings.finish()
  undo.push(() => styles.close())
  const dictionary = await openDictionary(place)
  undo.push(() => dictionary.close())
  const commands = await openCommands({ ...place, llm, settings })
  const refiner = createRefiner({ styles, dictionary, settings, llm, clock: systemClock, log })
  return { styles, dictionary, commands, refiner, tokenCounters: createTokenCounters() }
}

type Writing = Awaited<ReturnType<typeof openWriting>>

/** The captures as the last run left them, and the jobs on them; no job runs yet. */
async function openArchive({ config, log, undo }: Context, parts: Ground & Writing & Recognition) {
  const { database, folders, settings, events, metrics, styles, refiner, decodeAhead } = parts
  const place = { database, dataFolder: folders.data, clock: systemClock, log }
  await recoverCaptures({ ...place, incomingFolder: folders.incoming })
  const queue = await openQueue({ database, log })
  const webhooks = await openWebhooks({
    ...{ ...place, queue, settings, wireCapture, events },
    onOutcome: metrics.delivered,
  })
  const captures = createCaptures({
    ...{ ...place, publish: events.publish, announcing: webhooks.announcing },
    ...{ delivery: queue, decodeAhead: decodeAhead.begin, maxQueue: config.maxQueue },
  })
  const dictation = measuredDictation(createDictation({ ...parts, clock: systemClock, log }), metrics)
  const handler = createCaptureJob({
    ...{ captures, database, dictation, styles, refiner, settings, log },
    ...{ publish: events.publish, endings: queue.endings },
  })
  const jobs = createJobs({ database, queue, captures, handler, log })
  undo.push(() => jobs.stop())
  const batches = createBatches({ ...place, captures, queue })
  undo.push(() => batches.stop())
  undo.push(() => webhooks.stop())
  const usage = createUsage({
    ...{ database, clock: systemClock },
    typingWpm: () => settings.current().typingWpm,
    styleFor: (app) => styles.match({ ...app, writingStyleId: null, appUrl: null, language: null }).style.id,
  })
  const retention = { ...place, removal: captures.removal, settings }
  const retain = (signal: AbortSignal) => applyRetention(retention, signal)
  return { captures, jobs, batches, dictation, deliveries: webhooks, usage, retain }
}

type Archive = Awaited<ReturnType<typeof openArchive>>

async function listen(
  { config, log, version, undo }: Context,
  { database, ...parts }: Ground & Writing & Recognition & Archive,
) {
  const shutdown = new AbortController()
  addServerMetrics({ ...parts, version })
  const app = await createApp({
    ...parts,
    runId: randomUUID().slice(0, 8),
    onAnswered: parts.metrics.answered,
    ...{ config, log, version },
    databaseKind: database.kind,
    heardNow: { count: 0 },
    shutdown: shutdown.signal,
  })
  const listening = await serve({
    fetch: app.fetch,
    hostnames: config.hosts,
    port: config.port,
    onError: (error) => log.error({ reason: String(error) }, 'a request broke'),
  })
  undo.push(async () => {
    // Whoever waits for a transcript is told that it will come later; whoever uploads may finish.
    shutdown.abort()
    if (listening.ok) await listening.value.stop(STOP_DEADLINE_MS)
  })
  return listening
}

/** Every step is taken, whatever happens to the one before. */
async function stop(undo: Undo, log: Log): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      log.error({ reason: String(error) }, 'a part did not stop as it should')
    }
  }
}
