// Composition root: takes the lock, opens and starts every part of the server, and closes them in reverse order.

import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedStart } from '../db/embedded-start.ts'
import { openDatabase } from '../db/open.ts'
import { findStoreNote } from '../db/store-notes.ts'
import { syncReceptions } from './audio/incoming.ts'
import { CAPTURES_FOLDER } from './captures/capture-files.ts'
import { type Config, isToken } from './config.ts'
import { superviseDatabase } from './database-supervisor.ts'
import { createMetrics } from './http/server/metrics-registry.ts'
import { checkPort, type ServeFailure, serve } from './http/server/serve.ts'
import { addServerMetrics } from './http/service/metrics.ts'
import { createLiveSessions } from './http/transcribe/live/live-session.ts'
import type { Role } from './jobs/servers.ts'
import { type CleanupStack, runCleanup } from './lib/cleanup-stack.ts'
import { diskFullMessage, isDiskFull } from './lib/disk-space.ts'
import { sweepUnfinished } from './lib/durable.ts'
import { createEventBus } from './lib/events.ts'
import { ownershipProblem } from './lib/folder-ownership.ts'
import { createIdleMemory } from './lib/idle-memory.ts'
import { type InstanceLock, takeInstanceLock } from './lib/lock.ts'
import type { Log } from './lib/log.ts'
import { systemReason } from './lib/os-errors.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { readOrCreateSecret } from './lib/secret-file.ts'
import { createRecognition, followEngineSetting, loadBestModel, startBenchmark } from './recognition.ts'
import { type BaseContext, openServices, type Services } from './services.ts'
import { createSettings } from './settings/settings-store.ts'
import { openStore } from './store/open-store.ts'
import { checkWyomingPort, listenForWyoming, type WyomingListener } from './wyoming/wyoming-listener.ts'

export type DictationServerOptions = {
  role: Role
  config: Config
  log: Log
  version: string
  /** reads a language model's key from the environment; keys are in none of our files */
  readKey: (name: string) => string | undefined
  /** the embedded database, prepared while the other modules load */
  embedded?: EmbeddedStart | undefined
  /** another server uses the folder: the process must exit without `stop`, which would write to the other's database */
  onFolderLost?: () => void
}

type Context = DictationServerOptions & { undo: CleanupStack; task?: string }

export type DictationServer = {
  /** the failure is one line for the user; after a failure the caller must call `stop` */
  start(): Promise<Result<void, string>>
  /** rebuilds the embedded database from the files without serving requests; returns the number of captures */
  rebuild(): Promise<Result<number, string>>
  stop(): Promise<void>
}

export function createDictationServer(options: DictationServerOptions): DictationServer {
  const undo: CleanupStack = []
  return {
    start: () =>
      unlessFull(options.config, () =>
        // A folder with a task has no server for the commands.
        start({ ...options, undo, ...(options.role === 'worker' && { task: 'dictation worker' }) }),
      ),
    rebuild: () => unlessFull(options.config, () => rebuild({ ...options, undo, task: 'dictation rebuild' })),
    stop: () => runCleanup(undo, options.log),
  }
}

/** Reports a full disk in one line, whichever part of the start fails. */
async function unlessFull<T>(
  { dataFolder, databaseUrl }: Config,
  work: () => Promise<Result<T, string>>,
): Promise<Result<T, string>> {
  try {
    return await work()
  } catch (error) {
    const isOurs = isDiskFull(error) && (databaseUrl === null || error.code !== '53100')
    if (!isOurs) throw error
    return fail(await diskFullMessage(dataFolder, 'DICTATION_DATA_DIR'))
  }
}

/**
 * Locks the folder and creates everything that outlives a database; no database is open yet.
 * @param check runs before anything is loaded
 */
async function prepare(
  context: Context,
  check: () => Promise<Result<void, { message: string }>> = async () => succeed(undefined),
) {
  const { undo, embedded, ...given } = context
  const { log } = given
  const folders = foldersOf(given.config)
  const lock = await takeFolders(folders, context)
  if (!lock.ok) return fail(lock.failure.message)
  const checked = await check()
  if (!checked.ok) return fail(checked.failure.message)

  const token = await resolveToken(given.config, log)
  if (!token.ok) return fail(token.failure)
  const config = { ...given.config, token: token.value }
  const { store: address, maxCacheBytes } = given.config
  const store = await openStore({ address, dataFolder: folders.data, maxCacheBytes, log })
  if (!store.ok) return fail(store.failure)
  const settings = createSettings({ log })
  const events = createEventBus()
  const metrics = createMetrics()
  const recognition = await createRecognition({ ...given, config, folders, settings, events, undo })
  const runId = randomUUID().slice(0, 8)
  const base: BaseContext = {
    ...given,
    config,
    ...recognition,
    folders,
    ...store.value,
    settings,
    events,
    metrics,
    runId,
    activeTranscriptions: { count: 0 },
    liveSessions: createLiveSessions(),
  }
  const { databaseUrl } = config
  const openDatabaseAt = (how: { rebuild: boolean }) =>
    openDatabase({ dataFolder: folders.data, databaseUrl, embedded, ...how, log })
  return succeed({ base, lock: lock.value, openDatabaseAt })
}

async function start(context: Context): Promise<Result<void, string>> {
  const prepared = await prepare(context, () => checkPorts(context))
  if (!prepared.ok) return prepared
  const { base, lock, openDatabaseAt } = prepared.value
  const { undo, log } = context
  // The model loads in a separate process, in parallel to the rest of the start.
  const modelLoaded = base.settings.attached.then(() => loadBestModel(base, context))
  followEngineSetting(base, base)
  void base.settings.attached.then(base.checkSpeechDestination)
  const listener = createListener(base, undo)
  const supervisor = superviseDatabase<Services>({
    openDatabase: openDatabaseAt,
    fill: (database, ownUndo) => openServices(base, database, ownUndo),
    async show(parts) {
      const shown = await listener.show(parts)
      for (const url of listener.urls().slice(0, 1)) await lock.announce(url)
      return shown
    },
    begin: (parts) => parts.begin(),
    log,
  })
  undo.push(() => supervisor.stop())
  const started = await supervisor.start()
  if (!started.ok) return fail(started.failure.message)

  const [url = ''] = listener.urls()
  log.info(
    {
      url,
      urls: listener.urls(),
      docs: `${url}/docs`,
      data: base.folders.data,
      recordings: base.store.address ?? join(base.folders.data, CAPTURES_FOLDER),
    },
    'ready',
  )
  base.downloads
    .resume()
    .catch((error: unknown) => log.error({ reason: String(error) }, 'could not resume downloads'))
  // Warms up everything else that the first recording would wait for.
  void modelLoaded
    .then(() => Promise.all([base.decoder.warm(), base.detector.warm()]))
    .then(() => base.activeTranscriptions.count === 0 && base.engine.warmUp())
    .then(() => startBenchmark(base, context))
  return succeed(undefined)
}

async function checkPorts({ role, config, log }: Context): Promise<Result<void, ServeFailure>> {
  const { hosts: hostnames, port, wyomingPort, users } = config
  const checked = await checkPort({ hostnames, port })
  if (!checked.ok || wyomingPort === null || role === 'worker') return checked
  return checkWyomingPort({ hostnames, port: wyomingPort, users, log })
}

/** Never logs the token itself. */
async function resolveToken({ token }: Config, log: Log): Promise<Result<string | null, string>> {
  if (token === null || typeof token === 'string') return succeed(token)
  const kept = await readOrCreateSecret(token.keptIn)
  if (!isToken(kept))
    return fail(
      `The file ${token.keptIn} does not contain a valid token. Delete it; the next start creates a new one.`,
    )
  log.info({ file: token.keptIn }, 'clients need the token in this file')
  return succeed(kept)
}

async function rebuild(context: Context): Promise<Result<number, string>> {
  const prepared = await prepare(context)
  if (!prepared.ok) return prepared
  const { base, openDatabaseAt } = prepared.value
  const opened = await openDatabaseAt({ rebuild: true })
  if (!opened.ok) return fail(opened.failure.message)
  context.undo.push(() => opened.value.close())
  // An administrator decides what is removed from an external database.
  if ((await opened.value.run(findStoreNote))?.isFilled === true) return fail(ALREADY_FILLED)
  const { captures } = await openServices(base, opened.value, context.undo)
  return succeed((await captures.list({ limit: 1, offset: 0 })).total)
}

const ALREADY_FILLED =
  'The database that DATABASE_URL names has everything from the store already. Nothing was changed. Let it name an empty database.'

type Folders = ReturnType<typeof foldersOf>

const foldersOf = ({ dataFolder, modelsFolder }: Config) => ({
  data: dataFolder,
  models: modelsFolder,
  inbox: join(dataFolder, 'inbox'),
  work: join(dataFolder, 'work'),
  decoders: join(dataFolder, 'decoders'),
})

/** If the system denies access to a folder, the failure names the setting for another folder. */
async function takeFolders(
  { data, inbox, models, work }: Folders,
  context: Context,
): Promise<Result<InstanceLock, { message: string }>> {
  const { undo, log, task } = context
  let using: [folder: string, setting: string] = [data, 'DICTATION_DATA_DIR']
  try {
    const fault = await ownershipProblem(data)
    if (fault !== null) return fail({ message: `The data folder ${data} cannot be used: ${fault}.` })
    const lock = await takeInstanceLock(data, {
      onWait: (message) => log.warn({}, message),
      ...(task !== undefined && { task }),
    })
    if (!lock.ok) return lock
    undo.push(() => lock.value.release())
    guardFolder(lock.value, data, context)
    // Decoded samples of the last run are useless for this one.
    await rm(work, { recursive: true, force: true })
    sweepUnfinished(data, { shared: false })
    for (const folder of [inbox, work]) await mkdir(folder, { recursive: true, mode: 0o700 })
    using = [models, 'DICTATION_MODELS_DIR']
    await mkdir(models, { recursive: true, mode: 0o700 })
    sweepUnfinished(models, { shared: true })
    return lock
  } catch (error) {
    const [folder, setting] = using
    if (isDiskFull(error)) return fail({ message: await diskFullMessage(folder, setting) })
    const reason = systemReason(error)
    if (reason === null) throw error
    const message = `The folder ${folder} cannot be used: ${reason}. Fix this, or set ${setting} to another folder.`
    return fail({ message })
  }
}

function guardFolder(lock: InstanceLock, folder: string, { log, onFolderLost }: Context): void {
  lock.guard({
    onRestored: () =>
      log.error({}, `instance.lock was removed from ${folder}, and was restored; it keeps other servers out`),
    onLost() {
      log.error(
        {},
        `instance.lock was removed from ${folder}, and another server uses the folder: stopping this one`,
      )
      void syncReceptions().then(onFolderLost)
    },
  })
}

/** Starts listening with the first set of services, and passes requests to the current set. */
function createListener(
  { role, config, log, version, metrics, engine, liveSessions }: BaseContext,
  undo: CleanupStack,
) {
  let current: Services
  let urls: string[] = []

  async function listen(): Promise<Result<void, ServeFailure>> {
    addServerMetrics({
      metrics,
      version,
      engine,
      liveSessions,
      jobs: {
        counts: () => current.jobs.counts(),
        waitingAudioSeconds: () => current.jobs.waitingAudioSeconds(),
      },
      captures: { list: (query) => current.captures.list(query) },
    })
    const memory = createIdleMemory()
    undo.push(async () => memory.stop())
    const listening = await serve({
      fetch(request, connection) {
        memory.touch()
        return current.fetch(request, connection)
      },
      hostnames: config.hosts,
      port: config.port,
      onError: (error) => log.error({ reason: String(error) }, 'a request failed'),
    })
    if (!listening.ok) return listening
    urls = listening.value.urls
    if (!listening.value.knowsUsers && config.users === 'own' && config.token === null)
      log.warn(
        {},
        'this system does not report which user a program belongs to: set DICTATION_TOKEN to keep other users out',
      )
    let wyoming: WyomingListener | null = null
    undo.push(async () => {
      current.bidFarewell()
      await Promise.all([listening.value.stop(config.stopMs), wyoming?.stop(config.stopMs)])
    })
    if (config.wyomingPort === null || role === 'worker') return succeed(undefined)
    const opened = await listenForWyoming({
      hostnames: config.hosts,
      port: config.wyomingPort,
      users: config.users,
      openSession: () => current.openWyoming(),
      log,
    })
    if (!opened.ok) return opened
    wyoming = opened.value
    log.info({ urls: wyoming.urls }, 'listening for the Wyoming protocol')
    return succeed(undefined)
  }

  return {
    urls: () => urls,
    async show(parts: Services): Promise<Result<void, ServeFailure>> {
      current = parts
      return urls.length === 0 ? listen() : succeed(undefined)
    },
  }
}
