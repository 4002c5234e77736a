// Starts the server: settings, lock, database, engine, jobs, HTTP; and stops it in the opposite order.
// The only file that knows all parts and the only one that reads the environment.

import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import packageJson from '../package.json' with { type: 'json' }
import { createApp } from './app.ts'
import { createDecoder } from './audio/decode.ts'
import { createSpeechDetector } from './audio/speech-detector.ts'
import { type Captures, createCaptures } from './captures/captures.ts'
import { recoverCaptures } from './captures/recovery.ts'
import { applyRetention } from './captures/retention.ts'
import { createUsage, type Usage } from './captures/usage.ts'
import { type Commands, openCommands } from './commands/commands.ts'
import { type Config, describeSettings, readConfig, unknownSettings } from './config.ts'
import { createDictation, type Dictation } from './dictation/dictation.ts'
import { createEngine } from './engine/create-engine.ts'
import { wireCapture } from './http/capture-schema.ts'
import { measuredDictation } from './http/measured-dictation.ts'
import { createMetrics, type Metrics } from './http/metrics-registry.ts'
import { serve } from './http/serve.ts'
import { addServerMetrics } from './http/server-metrics.ts'
import { type Batches, createBatches } from './jobs/batches.ts'
import { createCaptureJob } from './jobs/capture-job.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { openQueue } from './jobs/queue.ts'
import { startUpkeep } from './jobs/upkeep.ts'
import { openWebhooks } from './jobs/webhook-queue.ts'
import { systemClock } from './lib/clock.ts'
import { makeFolder } from './lib/durable.ts'
import { createEventBus, type EventBus } from './lib/events.ts'
import { takeInstanceLock } from './lib/lock.ts'
import { createLog, type Log } from './lib/log.ts'
import { createLlmClient } from './llm/llm-client.ts'
import { createModels } from './models/models.ts'
import { openSettings, type SettingsStore } from './settings/settings-store.ts'
import { createTranscriber, type TranscriptionRequest } from './transcription/transcribe-recording.ts'
import { openDictionary, type TaughtDictionary } from './writing/dictionary.ts'
import { createRefiner, type DetailedRefiner } from './writing/refiner.ts'
import { openWritingStyles, type WritingStyles } from './writing/styles.ts'
import { createTokenCounters, type TokenCounters } from './writing/token-counter.ts'

const USAGE = `Local Dictation ${packageJson.version}: speech to text on this computer.

usage: npm start [-- --help | --version]

Settings are environment variables [default]:
${describeSettings(process.env)}

GET /docs on the running server describes the API.`

/** What a stop waits for uploads under way. */
const STOP_DEADLINE_MS = 10_000

/** What ends a part that was started; run in the opposite order when the server stops, or could not start. */
type Undo = (() => unknown)[]

type Context = { config: Config; log: Log; undo: Undo }

/** Starts everything; the failure is one line for a person. */
async function start(context: Context): Promise<string | null> {
  const { config, log, undo } = context
  const folders = foldersOf(config)
  await makeFolder(folders.data)
  const lock = await takeInstanceLock(folders.data)
  if (!lock.ok) return lock.failure.message
  undo.push(() => lock.value.release())
  await clearFolders(folders)

  const settings = await openSettings({ dataFolder: folders.data, log })
  const events = createEventBus()
  const metrics = createMetrics()
  const recognition = createRecognition(context, { folders, settings, events })
  // A process of its own on a core of its own: it loads while the database opens.
  const modelLoaded = loadBestModel(recognition, log)
  const opened = await openDatabase({ dataFolder: folders.data, databaseUrl: config.databaseUrl, log })
  if (!opened.ok) return opened.failure.message
  const database = opened.value
  undo.push(() => database.close())

  const llm = createLlmClient({ readKey: (name) => process.env[name] })
  const place = { database, dataFolder: folders.data, clock: systemClock, log }
  const styles = await openWritingStyles(place)
  const dictionary = await openDictionary(place)
  undo.push(() => dictionary.close())
  const tokenCounters = createTokenCounters()
  const commands = await openCommands({ ...place, llm, settings })
  const refiner = createRefiner({
    ...{ styles, dictionary, settings, llm, clock: systemClock, log },
  })
  const archive = await openArchive(context, {
    ...{ database, folders, recognition, settings, events, metrics, refiner, dictionary, styles },
    tokenCounters,
  })
  const usage = createUsage({
    ...{ database, clock: systemClock },
    typingWpm: () => settings.current().typingWpm,
    styleFor: (app) => styles.match({ ...app, writingStyleId: null, appUrl: null, language: null }).style.id,
  })
  const listening = await listen(context, {
    ...{ database, folders, settings, dictionary, tokenCounters, styles, refiner, commands, usage },
    ...{ events, metrics },
    ...archive,
    ...recognition,
  })
  if (!listening.ok) return listening.failure.message

  const [url = ''] = listening.value.urls
  await lock.value.announce(url)
  await archive.jobs.start()
  await archive.batches.start()
  await archive.webhooks.start(archive.captures)
  const retention = { ...place, removal: archive.captures.removal, settings }
  const retain = (signal: AbortSignal) => applyRetention(retention, signal)
  undo.push(startUpkeep({ database, jobs: archive.jobs, retain, settings, log }))
  log.info({ url, urls: listening.value.urls, docs: `${url}/docs`, data: folders.data }, 'ready')
  recognition.downloads
    .resume()
    .catch((error: unknown) => log.error({ reason: String(error) }, 'downloads cannot go on'))
  // The rest of what the first recording would otherwise wait for.
  void modelLoaded.then(() => Promise.all([recognition.decoder.warm(), recognition.detector.warm()]))
  return null
}

type Folders = ReturnType<typeof foldersOf>

const foldersOf = ({ dataFolder, modelsFolder }: Config) => ({
  data: dataFolder,
  models: modelsFolder,
  incoming: join(dataFolder, 'incoming'),
  work: join(dataFolder, 'work'),
})

async function clearFolders({ incoming, models, work }: Folders): Promise<void> {
  // Decoded samples of the last run are of no use to this one.
  await rm(work, { recursive: true, force: true })
  for (const folder of [incoming, models, work]) await mkdir(folder, { recursive: true, mode: 0o700 })
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
  const transcriber = createTranscriber({ decoder, detector, engine, log })
  return {
    ...modelParts,
    ...{ decoder, engine, detector },
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

type Storage = {
  database: Database
  folders: Folders
  recognition: Recognition
  settings: SettingsStore
  events: EventBus
  metrics: Metrics
  refiner: DetailedRefiner
  dictionary: TaughtDictionary
  tokenCounters: TokenCounters
  styles: WritingStyles
}

/** The captures as the last run left them, and the jobs on them; no job runs yet. */
async function openArchive({ config, log, undo }: Context, storage: Storage) {
  const { database, folders, recognition, settings, events, metrics, refiner, dictionary, styles } = storage
  const place = { database, dataFolder: folders.data, clock: systemClock, log }
  await recoverCaptures({ ...place, incomingFolder: folders.incoming })
  const queue = await openQueue({ database, log })
  const webhooks = await openWebhooks({
    ...{ ...place, queue, settings, wireCapture, events },
    onOutcome: metrics.delivered,
  })
  const captures = createCaptures({
    ...{ ...place, publish: events.publish, announce: webhooks.announce },
    ...{ delivery: queue, maxQueue: config.maxQueue },
  })
  const { models, transcriber } = recognition
  const heard = createDictation({
    ...{ models, transcriber, dictionary, settings, clock: systemClock },
    tokenCounters: storage.tokenCounters,
  })
  const dictation = measuredDictation(heard, metrics)
  const handler = createCaptureJob({
    ...{ captures, database, dictation, styles, refiner, settings, log },
    publish: events.publish,
  })
  const jobs = createJobs({ database, queue, captures, handler, log })
  undo.push(() => jobs.stop())
  const batches = createBatches({ database, captures, queue, clock: systemClock, log })
  undo.push(() => batches.stop())
  undo.push(() => webhooks.stop())
  return { captures, jobs, batches, dictation, webhooks }
}

type Parts = Recognition & {
  database: Database
  folders: Folders
  settings: SettingsStore
  dictionary: TaughtDictionary
  tokenCounters: TokenCounters
  styles: WritingStyles
  refiner: DetailedRefiner
  commands: Commands
  usage: Usage
  captures: Captures
  jobs: Jobs
  batches: Batches
  dictation: Dictation
  events: EventBus
  metrics: Metrics
}

async function listen({ config, log, undo }: Context, { database, ...parts }: Parts) {
  const shutdown = new AbortController()
  addServerMetrics({ ...parts, version: packageJson.version })
  const app = await createApp({
    ...parts,
    runId: randomUUID().slice(0, 8),
    onAnswered: parts.metrics.answered,
    ...{ config, log, version: packageJson.version },
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

async function main(args: string[]): Promise<number | null> {
  if (args.includes('--help') || args.includes('-h')) return say(USAGE)
  if (args.includes('--version')) return say(packageJson.version)
  if (args.length > 0) return complain(`unknown argument ${args[0]}; --help says what there is`)
  const config = readConfig(process.env)
  if (!config.ok) return complain(config.failure)

  const log = createLog(config.value.logLevel)
  for (const name of unknownSettings(process.env))
    log.warn({ name }, 'this setting is not known; --help lists them')
  process.on('unhandledRejection', (error) => log.error({ reason: String(error) }, 'a background task broke'))

  keepProxiesOut()

  const undo: Undo = []
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'stopping; a second signal exits at once')
      void stop(undo, log).then(() => process.exit(0))
    })

  const problem = await start({ config: config.value, log, undo }).catch((error: Error) => error.message)
  if (problem === null) return null
  await stop(undo, log)
  return complain(problem)
}

/** Bun sends even what is meant for this computer through HTTP_PROXY: what was dictated must not go there. */
function keepProxiesOut(): void {
  const exempt = process.env.no_proxy ?? process.env.NO_PROXY ?? ''
  process.env.no_proxy = process.env.NO_PROXY = [exempt, '127.0.0.1', '::1', 'localhost']
    .filter(Boolean)
    .join(',')
}

function say(text: string): number {
  console.log(text)
  return 0
}

function complain(line: string): number {
  console.error(`local-dictation: ${line}`)
  return 1
}

const exitCode = await main(process.argv.slice(2))
if (exitCode !== null) process.exit(exitCode)
