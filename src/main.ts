// Starts the server: settings, lock, database, engine, jobs, HTTP; and stops it in the opposite order.
// The only file that knows all parts and the only one that reads the environment.

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import packageJson from '../package.json' with { type: 'json' }
import { createApp } from './app.ts'
import { createDecoder } from './audio/decode.ts'
import { createSpeechDetector } from './audio/speech-detector.ts'
import { createCaptures } from './captures/captures.ts'
import { recoverCaptures } from './captures/recovery.ts'
import { type Config, describeSettings, readConfig, unknownSettings } from './config.ts'
import { createEngine } from './engine/create-engine.ts'
import { serve } from './http/serve.ts'
import { createJobs } from './jobs/jobs.ts'
import { openQueue } from './jobs/queue.ts'
import { createTranscribeJob } from './jobs/transcribe-job.ts'
import { systemClock } from './lib/clock.ts'
import { makeFolder } from './lib/durable.ts'
import { takeInstanceLock } from './lib/lock.ts'
import { createLog, type Log } from './lib/log.ts'
import { createModelStore } from './models/store.ts'
import { createTranscriber } from './transcription/transcribe-recording.ts'

const USAGE = `Local Dictation ${packageJson.version}: speech to text on this computer.

usage: npm start [-- --help | --version]

Settings are environment variables [default]:
${describeSettings(process.env)}

GET /docs on the running server describes the API.`

/** Five minutes after the last recording the memory of engine and speech detection is given back. */
const IDLE_UNLOAD_MS = 300_000
/** What a stop waits for uploads under way. */
const STOP_DEADLINE_MS = 10_000

/** Run in the opposite order when the server stops, also when it could not start. */
type Undo = (() => unknown)[]

/** Starts everything; the failure is one line for a person. */
async function start(config: Config, log: Log, undo: Undo): Promise<string | null> {
  const { dataFolder, modelsFolder } = config
  const incomingFolder = join(dataFolder, 'incoming')
  const workFolder = join(dataFolder, 'work')
  await makeFolder(dataFolder)
  const lock = await takeInstanceLock(dataFolder)
  if (!lock.ok) return lock.failure.message
  undo.push(() => lock.value.release())
  // Decoded samples of the last run are of no use to this one.
  await rm(workFolder, { recursive: true, force: true })
  for (const folder of [incomingFolder, workFolder, modelsFolder])
    await mkdir(folder, { recursive: true, mode: 0o700 })

  const engine = createEngine({
    choice: config.engine,
    threads: config.threads,
    idleUnloadMs: IDLE_UNLOAD_MS,
    log,
  })
  undo.push(() => engine.close())
  const models = createModelStore({ bundledFolder: join(import.meta.dir, 'models'), modelsFolder, log })
  // A process of its own on a core of its own: it loads while the database opens.
  const modelLoaded = loadBestModel()

  const opened = await openDatabase({ dataFolder, databaseUrl: config.databaseUrl, log })
  if (!opened.ok) return opened.failure.message
  const database = opened.value
  undo.push(() => database.close())

  const decoder = createDecoder({ workFolder, maxAudioSeconds: config.maxAudioSeconds, spare: true, log })
  const detector = createSpeechDetector({ idleUnloadMs: IDLE_UNLOAD_MS, log })
  undo.push(() => Promise.all([decoder.close(), detector.close()]))
  const transcriber = createTranscriber({ decoder, detector, engine, log })

  await recoverCaptures({ database, dataFolder, incomingFolder, clock: systemClock, log })
  const queue = await openQueue({ database, log })
  const { maxQueue } = config
  const captures = createCaptures({
    database,
    dataFolder,
    delivery: queue,
    clock: systemClock,
    log,
    maxQueue,
  })
  const handler = createTranscribeJob({ captures, database, models, transcriber, log })
  const jobs = createJobs({ database, queue, captures, handler, log })

  const shutdown = new AbortController()
  const app = await createApp({
    config,
    log,
    version: packageJson.version,
    folders: { data: dataFolder, incoming: incomingFolder, models: modelsFolder },
    databaseKind: database.kind,
    shutdown: shutdown.signal,
    ...{ captures, jobs, decoder, engine, models, transcriber },
  })
  const listening = await serve({
    fetch: app.fetch,
    hostnames: config.hosts,
    port: config.port,
    onError: (error) => log.error({ reason: String(error) }, 'a request broke'),
  })
  undo.push(() => jobs.stop())
  if (!listening.ok) return listening.failure.message
  undo.push(() => {
    // Whoever waits for a transcript is told that it will come later; whoever uploads may finish.
    shutdown.abort()
    return listening.value.stop(STOP_DEADLINE_MS)
  })

  const [url = ''] = listening.value.urls
  await lock.value.announce(url)
  await jobs.start()
  log.info({ url, urls: listening.value.urls, docs: `${url}/docs`, data: dataFolder }, 'ready')
  // The rest of what the first recording would otherwise wait for.
  void modelLoaded.then(() => Promise.all([decoder.warm(), detector.warm()]))
  return null

  async function loadBestModel(): Promise<void> {
    const model = await models.resolve(null)
    if (!model.ok)
      return log.warn({ code: model.failure.code, reason: model.failure.message }, 'no model to load')
    const { name } = model.value
    const loaded = await engine.load(model.value)
    if (loaded.ok) log.info({ model: name, loadMs: loaded.value.loadMs }, 'model loaded')
    else log.warn({ model: name, code: loaded.failure.code }, 'the model was not loaded')
  }
}

async function stop(undo: Undo): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
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

  const undo: Undo = []
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'stopping; a second signal exits at once')
      void stop(undo).then(() => process.exit(0))
    })

  const problem = await start(config.value, log, undo)
  if (problem === null) return null
  await stop(undo)
  return complain(problem)
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
