// Takes the lock, opens, wires and starts every part of the server, and closes them in the opposite order.
// What stands on the database is on-database.ts, what makes text of recordings recognition.ts; the command line is main.ts.

import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../db/open.ts'
import { syncReceptions } from './audio/incoming.ts'
import { type Config, isToken } from './config.ts'
import { createMetrics } from './http/server/metrics-registry.ts'
import { checkPort, type ServeFailure, serve } from './http/server/serve.ts'
import { addServerMetrics } from './http/service/server-metrics.ts'
import { createLiveSessions } from './http/transcribe/live/live-sessions.ts'
import { createIndexKeeper } from './index-keeper.ts'
import { type CleanupStack, runCleanup } from './lib/cleanup-stack.ts'
import { diskFullMessage, isDiskFull } from './lib/disk-space.ts'
import { sweepUnfinished } from './lib/durable.ts'
import { createEventBus } from './lib/events.ts'
import { ownershipProblem } from './lib/folder-ownership.ts'
import { createIdleMemory } from './lib/idle-memory.ts'
import { type InstanceLock, takeInstanceLock } from './lib/lock.ts'
import type { Log } from './lib/log.ts'
import { fail, type Result, succeed } from './lib/result.ts'
import { readOrCreateSecret } from './lib/secret-file.ts'
import { systemReason } from './lib/system-reason.ts'
import { type Ground, type OnDatabase, openOnDatabase } from './on-database.ts'
import { beginSelfTest, createRecognition, loadBestModel } from './recognition.ts'
import { createSettings } from './settings/settings-store.ts'

export type DictationServerOptions = {
  config: Config
  log: Log
  version: string
  /** of the environment: keys of language models, which stand in no file of ours */
  readKey: (name: string) => string | undefined
  /** the embedded database, which is compiled while all this is loaded */
  compiled?: Promise<WebAssembly.Module> | undefined
  /** another server works on the folder: the process must exit without `stop`, which would write to its database */
  onFolderLost?: () => void
}

type Context = DictationServerOptions & { undo: CleanupStack }

export type DictationServer = {
  /** the failure is one line for a person; what was started by then is for `stop` to end */
  start(): Promise<Result<void, string>>
  /** makes the embedded database anew from the files and serves nobody; tells how many captures are in it */
  rebuild(): Promise<Result<number, string>>
  stop(): Promise<void>
}

export function createDictationServer(options: DictationServerOptions): DictationServer {
  const undo: CleanupStack = []
  return {
    start: () => unlessFull(options.config, () => start({ ...options, undo })),
    rebuild: () => unlessFull(options.config, () => rebuild({ ...options, undo })),
    stop: () => runCleanup(undo, options.log),
  }
}

/** Whatever part of a start finds no room, it is told in one line. */
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
 * The folder taken, and what outlives a database; none is open yet.
 * @param check what is to be found out before anything is loaded
 */
async function prepare(
  context: Context,
  check: () => Promise<Result<void, { message: string }>> = async () => succeed(undefined),
) {
  const { undo, compiled, ...given } = context
  const { log } = given
  const folders = foldersOf(given.config)
  const lock = await takeFolders(folders, context)
  if (!lock.ok) return fail(lock.failure.message)
  const checked = await check()
  if (!checked.ok) return fail(checked.failure.message)

  const token = await settleToken(given.config, log)
  if (!token.ok) return fail(token.failure)
  const config = { ...given.config, token: token.value }
  const settings = createSettings({ log })
  const events = createEventBus()
  const metrics = createMetrics()
  const recognition = await createRecognition({ config, log, folders, settings, events, undo })
  const runId = randomUUID().slice(0, 8)
  const ground: Ground = {
    ...given,
    config,
    ...recognition,
    folders,
    settings,
    events,
    metrics,
    runId,
    heardNow: { count: 0 },
    liveSessions: createLiveSessions(),
  }
  const { databaseUrl } = config
  const openIndex = (how: { anew: boolean }) =>
    openDatabase({ dataFolder: folders.data, databaseUrl, compiled, ...how, log })
  return succeed({ ground, lock: lock.value, openIndex })
}

async function start(context: Context): Promise<Result<void, string>> {
  const { hosts: hostnames, port } = context.config
  const prepared = await prepare(context, () => checkPort({ hostnames, port }))
  if (!prepared.ok) return prepared
  const { ground, lock, openIndex } = prepared.value
  const { undo, log } = context
  // A process of its own on a core of its own: it loads while the rest of the server opens.
  const modelLoaded = ground.settings.attached.then(() => loadBestModel(ground, context))
  const front = createFront(ground, undo)
  const index = createIndexKeeper<OnDatabase>({
    openDatabase: openIndex,
    fill: (database, ownUndo) => openOnDatabase(ground, database, ownUndo),
    async show(parts) {
      const shown = await front.show(parts)
      for (const url of front.urls().slice(0, 1)) await lock.announce(url)
      return shown
    },
    begin: (parts) => parts.begin(),
    log,
  })
  undo.push(() => index.stop())
  const started = await index.start()
  if (!started.ok) return fail(started.failure.message)

  const [url = ''] = front.urls()
  log.info({ url, urls: front.urls(), docs: `${url}/docs`, data: ground.folders.data }, 'ready')
  ground.downloads
    .resume()
    .catch((error: unknown) => log.error({ reason: String(error) }, 'downloads cannot go on'))
  // The rest of what the first recording would otherwise wait for.
  void modelLoaded
    .then(() => Promise.all([ground.decoder.warm(), ground.detector.warm()]))
    .then(() => ground.heardNow.count === 0 && ground.engine.rehearse())
    .then(() => beginSelfTest(ground, context))
  return succeed(undefined)
}

/** The token itself is in no line of the log. */
async function settleToken({ token }: Config, log: Log): Promise<Result<string | null, string>> {
  if (token === null || typeof token === 'string') return succeed(token)
  const kept = await readOrCreateSecret(token.keptIn)
  if (!isToken(kept))
    return fail(
      `The file ${token.keptIn} holds no token that could be sent. Delete it, and a new one is made.`,
    )
  log.info({ file: token.keptIn }, 'clients need the token in this file')
  return succeed(kept)
}

async function rebuild(context: Context): Promise<Result<number, string>> {
  const prepared = await prepare(context)
  if (!prepared.ok) return prepared
  const { ground, openIndex } = prepared.value
  const opened = await openIndex({ anew: true })
  if (!opened.ok) return fail(opened.failure.message)
  context.undo.push(() => opened.value.close())
  const { captures } = await openOnDatabase(ground, opened.value, context.undo)
  return succeed((await captures.list({ limit: 1, offset: 0 })).total)
}

type Folders = ReturnType<typeof foldersOf>

const foldersOf = ({ dataFolder, modelsFolder }: Config) => ({
  data: dataFolder,
  models: modelsFolder,
  inbox: join(dataFolder, 'inbox'),
  work: join(dataFolder, 'work'),
})

/** What the system refuses is told with the setting that names another folder. */
async function takeFolders(
  { data, inbox, models, work }: Folders,
  context: Context,
): Promise<Result<InstanceLock, { message: string }>> {
  const { undo, log } = context
  let using: [folder: string, setting: string] = [data, 'DICTATION_DATA_DIR']
  try {
    const fault = await ownershipProblem(data)
    if (fault !== null) return fail({ message: `The data folder ${data} cannot be used: ${fault}.` })
    const lock = await takeInstanceLock(data, { onWait: (message) => log.warn({}, message) })
    if (!lock.ok) return lock
    undo.push(() => lock.value.release())
    guardFolder(lock.value, data, context)
    // Decoded samples of the last run are of no use to this one.
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
    const message = `The folder ${folder} cannot be used: ${reason}. Mend that, or let ${setting} name another.`
    return fail({ message })
  }
}

function guardFolder(lock: InstanceLock, folder: string, { log, onFolderLost }: Context): void {
  lock.guard({
    onRestored: () =>
      log.error({}, `instance.lock was removed from ${folder}; it keeps other servers out, and was restored`),
    onLost() {
      log.error(
        {},
        `instance.lock was removed from ${folder}, and another server works there: this one stops`,
      )
      void syncReceptions().then(onFolderLost)
    },
  })
}

/** What people reach: listens from the first parts on, and hands requests to the newest. */
function createFront({ config, log, version, metrics, engine, liveSessions }: Ground, undo: CleanupStack) {
  let current: OnDatabase
  let urls: string[] = []

  async function listen(): Promise<Result<void, ServeFailure>> {
    addServerMetrics({
      metrics,
      version,
      engine,
      liveSessions,
      jobs: { counts: () => current.jobs.counts() },
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
      onError: (error) => log.error({ reason: String(error) }, 'a request broke'),
    })
    if (!listening.ok) return listening
    urls = listening.value.urls
    if (!listening.value.knowsUsers && config.users === 'own' && config.token === null)
      log.warn(
        {},
        'programs of other users of this computer cannot be told from yours: only a token keeps them out',
      )
    undo.push(async () => {
      current.bidFarewell()
      await listening.value.stop(config.stopMs)
    })
    return succeed(undefined)
  }

  return {
    urls: () => urls,
    async show(parts: OnDatabase): Promise<Result<void, ServeFailure>> {
      current = parts
      return urls.length === 0 ? listen() : succeed(undefined)
    },
  }
}
