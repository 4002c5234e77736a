// The job queues: pg-boss, in the same database as the rows, so that both commit together. Reports to waiting requests
// when a job has ended.

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import {
  type ConstructorOptions,
  type DrizzleTransactionLike,
  fromDrizzle,
  fromPglite,
  PgBoss,
} from 'pg-boss'
import type { Database, Orm } from '../../db/database.ts'
import { CALL_DEADLINE_MS, STATEMENT_DEADLINE_MS } from '../../db/deadline.ts'
import { findJob } from '../../db/jobs.ts'
import type { Delivery, Ending, JobKey } from '../captures/capture.ts'
import { type ClockWatch, createClockWatch, systemClock } from '../lib/clock.ts'
import type { ArchiveEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/retry.ts'
import { createJobCompletions, ENDED_ELSEWHERE } from './completions.ts'
import {
  instanceNameOf,
  MAX_SERVERS,
  type ServerIdentity,
  type WorkerStatus,
  workerStatusOf,
} from './servers.ts'
import {
  createWorkers,
  type DeliveredJob,
  type Handling,
  type JobOutcome,
  type StopReason,
  type Workers,
} from './workers.ts'

const QUEUE = 'transcribe'
/** Holds the jobs that were running at several crashes of the server. */
const SUSPECTS = 'suspects'
/** How often a job checks whether it may run beside the others. */
const TURN_MS = 50

/** The engine serves windows in turn, so a dictation waits behind one window of a long recording, not behind all. */
const SLOTS = 4
/** The handler gives up after this many further attempts; pg-boss itself never does. */
export const RETRIES = 2
const RETRY = { retryLimit: 1_000_000, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 }
const LOOK_MS = 1000
/** Jobs of a batch run after all others, one at a time, in a slot of their own. */
const BATCH_PRIORITY = -1
const OF_PEOPLE = { minPriority: BATCH_PRIORITY + 1 }
const OF_BATCHES = { maxPriority: BATCH_PRIORITY }

/** pg-boss deletes jobs that wait longer than this; its default is 14 days, and this its maximum. */
const RETENTION_SECONDS = 2 ** 31 - 1
/** pg-boss's maximum. The engine has deadlines of its own for each window. */
const EXPIRE_SECONDS = 24 * 3600
const KEPT = { retentionSeconds: RETENTION_SECONDS, expireInSeconds: EXPIRE_SECONDS }

/** A job that is due since this date is due whatever the clock shows. */
export const LONG_DUE = { startAfter: '2020-01-01T00:00:00Z' }

/**
 * Only a connection to another process loses responses: pg-boss may then count a job as fetched that did not arrive.
 */
const HEARTBEATS = { embedded: {}, external: { heartbeatSeconds: 10 } }
/** With the heartbeat it decides how soon the jobs of a dead server run elsewhere. */
export const RECOVER_SECONDS = 4
/** Of each slot, as the net below the wakes and `recover`. */
const POLL_SECONDS = { embedded: 60, external: 600 }
/** A server that missed three of them counts as dead. */
const INSTANCE_HEARTBEAT_SECONDS = 5

/** The most deliveries that a start reads; pg-boss's maximum. */
export const MAX_LISTED = 100_000

/**
 * A job that was running at this many crashes of servers is suspect, since one crash rarely has its cause in it. A
 * suspect job runs alone, so that only one job can be the cause of a further crash.
 */
export const SUSPECTED_AFTER = 3

type Payload = { captureId: string }

export type JobAttempt = { signal: AbortSignal; isLast: boolean }

/** `again` requests another attempt; throws if not even the outcome could be written. */
export type JobHandler = (job: JobKey, attempt: JobAttempt) => Promise<JobOutcome>

export type QueuedJob = JobKey & {
  batchId?: string | null
  /** runs alone, now or after this many milliseconds */
  suspect?: 'now' | number | false
  /** highest first, then oldest first; 0 by default */
  priority?: number
}

export type Queue = Awaited<ReturnType<typeof openQueue>>

type OtherQueue = {
  name: string
  options: QueueOptions
  slots: number
  priorities?: typeof OF_PEOPLE | typeof OF_BATCHES
  lookMs: number
}
type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>

/** Prepares pg-boss's own tables. The deliveries of the last run stay; see `resume`. */
export async function openQueue({
  database,
  log,
  identity,
  watch = () => createClockWatch(systemClock),
}: {
  database: Database
  log: Log
  /** under which an external database registers this server */
  identity?: ServerIdentity | undefined
  watch?: () => ClockWatch
}) {
  const boss = new PgBoss(optionsFor(database, identity))
  const closing = new AbortController()
  boss.on('error', (error) => {
    if (!closing.signal.aborted) log.error({ reason: error.message }, 'job queue error')
  })
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'job queue warning'))
  await boss.start()

  /** of all queues */
  const wakes: (() => void)[] = []
  /** Also for the other queues of this database. */
  const openWorkers = async <Data>({ name, options, ...how }: OtherQueue): Promise<Workers<Data>> => {
    await ensureQueue(boss, name, { ...KEPT, ...options, ...HEARTBEATS[database.kind] })
    const fetching = { pollSeconds: POLL_SECONDS[database.kind], watch: watch() }
    const opened = createWorkers<Data>({ boss, queue: name, ...how, ...fetching, log })
    wakes.push(opened.wake)
    return opened
  }
  const openJobs = (name: string, how: Pick<OtherQueue, 'slots' | 'priorities'>) =>
    openWorkers<Payload>({ name, options: RETRY, ...how, lookMs: LOOK_MS })
  const workers = await openJobs(QUEUE, { slots: SLOTS, priorities: OF_PEOPLE })
  const batchWorker = await openJobs(QUEUE, { slots: 1, priorities: OF_BATCHES })
  const suspects = await openJobs(SUSPECTS, { slots: 1 })

  /** suspect jobs, which run alone, and those of them that wait for their turn */
  const suspected = new Set<string>()
  const due = new Set<string>()
  const queueOf = (jobId: string) => (suspected.has(jobId) ? SUSPECTS : QUEUE)
  /** Another server may have sent it, to either. */
  const queuesOf = (jobId: string) => (database.kind === 'external' ? [QUEUE, SUSPECTS] : [queueOf(jobId)])
  const completions = createJobCompletions()
  let running = 0
  /** a job of a batch was sent since the last wake; another server may have sent one at any time */
  let isBatchWaiting = true
  const alone = {
    id: randomUUID(),
    role: 'server' as const,
    host: hostname(),
    pid: process.pid,
    slots: SLOTS + 1,
    startedAt: new Date(),
  }

  const send = async (tx: Orm, jobs: readonly QueuedJob[]): Promise<void> => {
    for (const { id, suspect, batchId } of jobs) {
      completions.expect(id)
      if (batchId) isBatchWaiting = true
      if (suspect) suspected.add(id)
      if (suspect === 'now') due.add(id)
    }
    for (const [name, ofQueue] of Map.groupBy(jobs, ({ id }) => queueOf(id)))
      await boss.insert(name, ofQueue.map(inserted), within(tx))
  }

  const deliveriesOf = (tx: Orm, name: string) => boss.findJobs(name, { limit: MAX_LISTED, ...within(tx) })
  const remove = async (tx: Orm, name: string, deliveries: readonly { id: string }[]): Promise<void> => {
    const ids = deliveries.map(({ id }) => id)
    if (ids.length > 0) await boss.deleteJob(name, ids, within(tx))
  }

  function wake(): void {
    workers.wake()
    if (isBatchWaiting) batchWorker.wake()
    isBatchWaiting = database.kind === 'external'
    // A fetch from the other queue would delay the job: an embedded database runs one query at a time.
    if (suspected.size > 0) suspects.wake()
  }

  function ended(jobId: string, ending: Ending): void {
    for (const each of [workers, batchWorker, suspects]) each.cancel(jobId)
    due.delete(jobId)
    completions.settle(jobId, ending)
  }

  /** Servers that died with it did not report that, but their attempts are counted. */
  const isSuspect = async (id: string): Promise<boolean> => {
    if (database.kind === 'embedded') return false
    const found = await database.run((orm) => findJob(orm, id))
    return found !== null && found.attempts >= SUSPECTED_AFTER
  }

  /** Runs the handler when the job may run: a suspect alone, the others while no suspect is due. */
  const runInTurn = async (handler: JobHandler, job: DeliveredJob<Payload>, signal: AbortSignal) => {
    const { id, data, retryCount } = job
    if (retryCount >= SUSPECTED_AFTER && (await isSuspect(id))) suspected.add(id)
    if (suspected.has(id)) due.add(id)
    const mayRun = () => (due.has(id) ? running === 0 : due.size === 0)
    try {
      while (!mayRun() && !signal.aborted) await pause(TURN_MS, signal)
      if (signal.aborted) return signal.reason === ('stopping' satisfies StopReason) ? 'left' : 'done'
      running++
      const attempt = { signal, isLast: retryCount >= RETRIES }
      return await handler({ id, captureId: data.captureId }, attempt).finally(() => running--)
    } finally {
      due.delete(id)
    }
  }

  return {
    boss,
    openWorkers,
    completions,
    closing: closing.signal,
    send,
    /**
     * Makes the deliveries match the unfinished jobs of the last run. The caller holds the instance lock, so nothing is
     * being delivered: a delivery that is not waiting was interrupted, and is replaced.
     */
    async resume(tx: Orm, jobs: readonly QueuedJob[]): Promise<void> {
      const left = await deliveriesOf(tx, QUEUE)
      const waiting = new Set(left.filter(({ state }) => state === 'created').map(({ id }) => id))
      const kept = jobs.filter(({ id, suspect }) => !suspect && waiting.has(id))
      const keptIds = new Set(kept.map(({ id }) => id))
      for (const id of keptIds) completions.expect(id)
      const replaced = left.filter(({ id }) => !keptIds.has(id))
      await remove(tx, QUEUE, replaced)
      await remove(tx, SUSPECTS, await deliveriesOf(tx, SUSPECTS))
      const missing = jobs.filter(({ id }) => !keptIds.has(id))
      await send(tx, missing)
    },
    /** Delivers the unfinished jobs that no server has in its queue; the others may be at work elsewhere. */
    async join(tx: Orm, jobs: readonly QueuedJob[]): Promise<void> {
      const suspects = new Set((await deliveriesOf(tx, SUSPECTS)).map(({ id }) => id))
      const missing = jobs.filter(({ id }) => !suspects.has(id))
      // A delivery that exists stays as it is.
      await boss.insert(QUEUE, missing.map(inserted), within(tx))
    },
    wake,
    /**
     * Gives back the jobs of dead servers, and fetches: a wake may have been lost. For all queues; costs about fifteen
     * statements.
     */
    async recover(): Promise<void> {
      await boss.supervise()
      for (const each of wakes) each()
    },
    async withdraw(tx: Orm, jobId: string): Promise<void> {
      for (const name of queuesOf(jobId)) await boss.deleteJob(name, jobId, within(tx))
    },
    async retry(tx: Orm, jobId: string): Promise<void> {
      for (const name of queuesOf(jobId)) await boss.fail(name, jobId, null, within(tx))
    },
    ended,
    /** Follows what another server has reported. */
    follow(event: ArchiveEvent): void {
      if (event.name !== 'job.progress') return
      if (event.state === 'waiting') wake()
      else if (event.state !== 'active') ended(event.jobId, ENDED_ELSEWHERE)
    },
    /** the jobs whose end matters here: running, or waited for */
    attended: () => [
      ...[workers, batchWorker, suspects].flatMap((each) => each.running()),
      ...completions.awaited(),
    ],
    async servers(): Promise<WorkerStatus[]> {
      if (database.kind === 'embedded') return [{ ...alone, active: running, seenAt: new Date() }]
      const found = await boss.getInstances({ limit: MAX_SERVERS })
      return found.flatMap((instance) => workerStatusOf(instance, [QUEUE]) ?? [])
    },
    async work(handler: JobHandler): Promise<void> {
      const handle: Handling<Payload>['handle'] = (job, signal) => runInTurn(handler, job, signal)
      await suspects.start({
        handle(job, signal) {
          suspected.add(job.id)
          return handle(job, signal)
        },
      })
      await workers.start({ handle })
      await batchWorker.start({ handle })
    },
    /** Returns the running jobs to the queue. */
    async stop(): Promise<void> {
      closing.abort()
      await Promise.all([workers, batchWorker, suspects].map((each) => each.stop()))
      await boss.stop({ graceful: false })
    },
  } satisfies Delivery & Record<string, unknown>
}

const inserted = ({ id, captureId, batchId = null, priority = 0, suspect }: QueuedJob) => ({
  id,
  data: { captureId } satisfies Payload,
  priority: batchId === null ? priority : BATCH_PRIORITY,
  ...(typeof suspect === 'number' ? { startAfter: suspect / 1000 } : LONG_DUE),
})

/** Checks first: creating a queue calls a procedure, for which Postgres loads a language: a tenth of each start. */
async function ensureQueue(boss: PgBoss, name: string, options: QueueOptions): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options)
  else await boss.updateQueue(name, options)
}

/** Options of a pg-boss call that is part of a transaction. */
export const within = (tx: Orm) => ({ db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql) })

/** The background work of pg-boss besides its workers, reduced to a minimum. */
const QUIET: ConstructorOptions = {
  schedule: false,
  supervise: false,
  persistWarnings: false,
  registerInstance: false,
  bamIntervalSeconds: 600,
  queueCacheIntervalSeconds: 3600,
}

/** Options of node-postgres, which pg-boss passes on without declaring their types. */
const DEADLINES = { statement_timeout: STATEMENT_DEADLINE_MS, query_timeout: CALL_DEADLINE_MS }

function optionsFor({ connection }: Database, identity: ServerIdentity | undefined): ConstructorOptions {
  if (connection.kind === 'embedded')
    return { ...QUIET, db: fromPglite(connection.client), backend: 'pglite' }
  return {
    ...QUIET,
    // Of several servers, the first to call `recover` in this time does the work.
    monitorIntervalSeconds: RECOVER_SECONDS / 2,
    ...DEADLINES,
    ...(identity && {
      registerInstance: true,
      instanceName: instanceNameOf(identity),
      instanceHeartbeatSeconds: INSTANCE_HEARTBEAT_SECONDS,
    }),
    connectionString: connection.url,
    max: 4,
    application_name: 'local-dictation queue',
  }
}
