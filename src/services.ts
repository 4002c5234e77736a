// All services on the database: the library, the captures, their jobs, and the app.
// Opened and closed together, so that database-supervisor.ts can do it again on a rebuilt database. Listens on no port.

import type { Database } from '../db/database.ts'
import { countCaptures } from '../db/retention.ts'
import { createApp } from './app.ts'
import { forgetDeleted } from './captures/forget-cached.ts'
import { checkFolder, checkStore } from './captures/recovery.ts'
import { openRetention } from './captures/retention-keeper.ts'
import { createUsage } from './captures/statistics.ts'
import { openCommands } from './commands/commands.ts'
import type { Config } from './config.ts'
import { createDictation } from './dictation/dictation.ts'
import { createLiveDictation } from './dictation/live-dictation.ts'
import { wireCapture } from './http/captures/schema.ts'
import type { App } from './http/compose-app.ts'
import { problemResponse } from './http/kernel/problem.ts'
import { logAnswered, logTranscribed, trackInFlight } from './http/server/headers.ts'
import { type Metrics, measuredDictation } from './http/server/metrics-registry.ts'
import type { LiveSessions } from './http/transcribe/live/live-session.ts'
import { createBatches } from './jobs/batches.ts'
import { openArchive } from './jobs/jobs.ts'
import { createRelay, type Relay } from './jobs/relay.ts'
import { checkMayJoin, identify, type Role, type ServerIdentity, ServerRefusedError } from './jobs/servers.ts'
import { startUpkeep } from './jobs/upkeep.ts'
import { openWebhooks } from './jobs/webhooks.ts'
import type { CleanupStack } from './lib/cleanup-stack.ts'
import { systemClock } from './lib/clock.ts'
import type { EventBus } from './lib/events.ts'
import type { Log } from './lib/log.ts'
import { openLibrary } from './library/library.ts'
import { LIBRARY_PARTS } from './library-parts.ts'
import { createLlmClient } from './llm/llm-client.ts'
import type { Recognition } from './recognition.ts'
import type { SettingsStore } from './settings/settings-store.ts'
import type { Store } from './store/store.ts'
import { openDictionary } from './writing/dictionary.ts'
import { createRefiner } from './writing/refiner.ts'
import { openWritingStyles } from './writing/styles.ts'
import { createTokenCounters } from './writing/token-counter.ts'
import { openWyomingSession } from './wyoming/wyoming-session.ts'

/** The parts of the server that outlive a database. */
export type BaseContext = Recognition & {
  role: Role
  /** with the token itself, from any source */
  config: Config & { token: string | null }
  log: Log
  version: string
  readKey: (name: string) => string | undefined
  folders: { data: string; inbox: string; models: string }
  store: Store
  /** null: the store is the data folder */
  storeId: string | null
  settings: SettingsStore
  events: EventBus
  metrics: Metrics
  /** distinguishes this run of the server from others */
  runId: string
  activeTranscriptions: { count: number }
  liveSessions: LiveSessions
}

type Own = { database: Database }

/** The whole API of a worker. */
const WORKER_PATHS = ['/health', '/metrics']

const onlyOf =
  (paths: readonly string[], fetch: App['fetch']): App['fetch'] =>
  async (request, connection) =>
    paths.includes(new URL(request.url).pathname)
      ? fetch(request, connection)
      : problemResponse({ code: 'no_such_route', detail: 'A worker has only /health and /metrics.' })

export type Services = Awaited<ReturnType<typeof openServices>>

/** Calls every listener. */
const eachOf =
  <T>(...listeners: ((event: T) => void)[]) =>
  (event: T): void => {
    for (const listener of listeners) listener(event)
  }

/** Longer than a start with a large archive takes. */
const START_WAIT_MS = 600_000

/**
 * In the state of the last run; no job runs before `begin`. Cleanup is pushed onto `undo`. Servers on one database open
 * one after the other.
 */
export async function openServices(base: BaseContext, database: Database, undo: CleanupStack) {
  const open = () => openInTurn(base, database, undo)
  const opened = await database.exclusively('start', open, { waitMs: START_WAIT_MS })
  if (opened === null)
    throw new ServerRefusedError('Another server on this database has been starting for ten minutes.')
  return opened
}

async function openInTurn(base: BaseContext, database: Database, undo: CleanupStack) {
  const { config, log, settings } = base
  await checkStore(database, base.storeId)
  const membership = await join({ ...base, database })
  await checkFolder({ database, dataFolder: base.folders.data })
  const relay = createRelay({ ...base, database })
  const writing = await openWriting({ ...base, database, relay }, undo)
  const archive = await openCaptures({ ...base, ...writing, ...membership, database }, undo)
  const shutdown = new AbortController()
  const liveDictation = createLiveDictation({ ...base, ...writing, ...archive })
  const app = await createApp({
    ...base,
    ...writing,
    ...archive,
    liveDictation,
    onAnswered: eachOf(base.metrics.answered, logAnswered(log)),
    databaseKind: database.kind,
    databaseDamaged: database.damaged,
    shutdown: shutdown.signal,
  })
  const { fetch, over } = trackInFlight(base.role === 'worker' ? onlyOf(WORKER_PATHS, app.fetch) : app.fetch)
  // Requests that wait for a transcript get their response early; uploads may finish.
  const bidFarewell = () => shutdown.abort()
  undo.push(async () => {
    bidFarewell()
    await Promise.all([over(config.stopMs), base.liveSessions.over(config.stopMs)])
  })
  const { queue, jobs, batches, deliveries, captures, retention } = archive
  return {
    fetch,
    openWyoming: () => openWyomingSession({ ...base, liveDictation, shutdown: shutdown.signal }),
    bidFarewell,
    jobs,
    captures,
    /** resumes the work of the last run */
    async begin() {
      await relay.open(queue.boss, {
        onEvent: eachOf(queue.follow, forgetDeleted(base)),
        onLibraryChanged: () => void writing.library.refresh(),
        onGap() {
          base.events.publish({ name: 'reset' })
          queue.wake()
          void writing.library.refresh()
        },
      })
      undo.push(() => relay.stop())
      await jobs.start()
      await batches.start()
      await deliveries.start(captures)
      undo.push(startUpkeep({ database, dataFolder: base.folders.data, jobs, retention, settings, log }))
    },
  }
}

type Membership = { identity?: ServerIdentity; isJoining: boolean }

/** @throws ServerRefusedError */
async function join({ role, config, storeId, database, log }: BaseContext & Own): Promise<Membership> {
  if (database.connection.kind === 'embedded') return { isJoining: false }
  const identity = identify(role, config.dataFolder, storeId)
  const others = await checkMayJoin(database.connection.url, identity)
  const captures = await database.run(countCaptures)
  const joined = others.map(({ role, host, pid }) => `${role} ${host}:${pid}`)
  log.info({ captures, with: joined }, joined.length === 0 ? 'alone on the database' : 'joined other servers')
  return { identity, isJoining: others.length > 0 }
}

/** The library with the settings, and the text services that use them. */
async function openWriting(
  { database, folders, store, settings, log, readKey, relay }: BaseContext & Own & { relay: Relay },
  undo: CleanupStack,
) {
  const place = { database, dataFolder: folders.data, store, clock: systemClock, log }
  const onChanged = relay.libraryChanged
  const library = await openLibrary({ ...place, parts: LIBRARY_PARTS, onChanged })
  settings.attach(library)
  undo.push(() => library.close())
  const llm = createLlmClient({ readKey })
  const styles = await openWritingStyles({ ...place, library })
  undo.push(() => styles.close())
  const dictionary = await openDictionary({ ...place, library })
  undo.push(() => dictionary.close())
  const commands = await openCommands({ ...place, library, llm, settings })
  undo.push(() => commands.saved.close())
  library.startCopying(() => ({
    settings: settings.current(),
    dictionary: dictionary.list(),
    writingStyles: styles.list(),
    commands: commands.saved.list(),
  }))
  const refiner = createRefiner({ styles, dictionary, settings, llm, clock: systemClock, log })
  return { library, styles, dictionary, commands, refiner, tokenCounters: createTokenCounters() }
}

type Writing = Awaited<ReturnType<typeof openWriting>>

/** The captures and every operation on them. */
async function openCaptures(parts: BaseContext & Own & Writing & Membership, undo: CleanupStack) {
  const { config, log, database, folders, store, library, settings, events, metrics, styles, decodeAhead } =
    parts
  const place = { database, dataFolder: folders.data, store, clock: systemClock, log }
  const transcribed = eachOf(metrics.transcribed, logTranscribed(log))
  const dictation = measuredDictation(createDictation({ ...parts, clock: systemClock, log }), { transcribed })
  const { queue, captureEvents, captures, jobs } = await openArchive({
    ...parts,
    ...place,
    dictation,
    inboxFolder: folders.inbox,
    decodeAhead: decodeAhead.begin,
    maxQueue: config.maxQueue,
    async openCaptureEvents(queue) {
      const event = { ...place, queue, library, settings, wireCapture, events }
      const webhooks = await openWebhooks({ ...event, onOutcome: metrics.delivered })
      return { publish: events.publish, announcing: webhooks.announcing, webhooks }
    },
  })
  const { webhooks } = captureEvents
  undo.push(() => captures.close())
  undo.push(() => jobs.stop())
  const batches = createBatches({ ...place, captures, queue })
  undo.push(() => batches.stop())
  undo.push(() => webhooks.stop())
  const usage = createUsage({
    database,
    clock: systemClock,
    typingWpm: () => settings.current().typingWpm,
    styleFor: (app) => styles.match({ ...app, writingStyleId: null, appUrl: null, language: null }).style.id,
  })
  const retention = await openRetention({ ...place, removal: captures.removal, settings })
  return { queue, captures, jobs, batches, dictation, deliveries: webhooks, usage, retention }
}
