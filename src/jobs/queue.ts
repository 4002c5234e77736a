// Delivers jobs to their handler, exactly as often as it takes: pg-boss, in the same database as the rows.
// What a job does is transcribe-job.ts; what people see of it is jobs.ts.

import { sql } from 'drizzle-orm'
import {
  type ConstructorOptions,
  type DrizzleTransactionLike,
  fromDrizzle,
  fromPglite,
  PgBoss,
} from 'pg-boss'
import type { Database, Orm } from '../../db/database.ts'
import type { Delivery } from '../captures/delivery.ts'
import type { Log } from '../lib/log.ts'
import { createEndings, type Endings } from './endings.ts'

const QUEUE = 'transcribe'
/** The engine serves windows in turn, so a dictation waits behind one window of a long recording, not behind all. */
const JOBS_AT_ONCE = 4
/** Crashes and timeouts are tried again this often; what fails for good never throws. */
const RETRIES = 2
/** The engine has deadlines of its own, window by window: this one only has to be out of the way. */
const EXPIRE_SECONDS = 23 * 3600
const STOP_DEADLINE_MS = 5000

/** Why a handler's signal fired. */
export type StopReason = 'canceled' | 'stopping'

export type Attempt = { signal: AbortSignal; isLast: boolean }

/** `again` asks for another attempt. Must not throw for what it can expect. */
export type JobHandler = (jobId: string, attempt: Attempt) => Promise<'done' | 'again'>

export type Queue = Delivery & {
  endings: Endings
  work(handler: JobHandler): Promise<void>
  /** stops the handlers, who put their jobs back */
  stop(): Promise<void>
}

/**
 * Prepares pg-boss's own tables and forgets every delivery of the last run: the caller holds the instance lock, so
 * whatever was active is an orphan, and all that is still to be done is sent again from the rows (see resume.ts).
 */
export async function openQueue({ database, log }: { database: Database; log: Log }): Promise<Queue> {
  const boss = new PgBoss({ ...connectionOf(database), ...QUIET, useListenNotify: true })
  boss.on('error', (error) => log.error({ reason: error.message }, 'the queue has a problem'))
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the queue warns'))
  await boss.start()
  const options = { retryLimit: RETRIES, expireInSeconds: EXPIRE_SECONDS, notify: true }
  await boss.createQueue(QUEUE, options)
  await boss.updateQueue(QUEUE, options)
  await boss.deleteAllJobs(QUEUE)

  const running = new Map<string, AbortController>()
  const endings = createEndings()
  let stopping = false
  const stopWith = (controller: AbortController | undefined, reason: StopReason) => controller?.abort(reason)

  const attempt = async (handler: JobHandler, jobId: string, isLast: boolean): Promise<void> => {
    const controller = new AbortController()
    running.set(jobId, controller)
    if (stopping) stopWith(controller, 'stopping')
    try {
      const outcome = await handler(jobId, { signal: controller.signal, isLast })
      if (outcome === 'again') throw new Error('another attempt was asked for')
    } finally {
      running.delete(jobId)
    }
  }

  return {
    endings,
    async send(tx, jobIds) {
      const jobs = jobIds.map((id) => ({ id, data: {} }))
      if (jobs.length > 0) await boss.insert(QUEUE, jobs, within(tx))
    },
    async withdraw(tx, jobId) {
      await boss.cancel(QUEUE, jobId, within(tx))
    },
    ended(jobId) {
      stopWith(running.get(jobId), 'canceled')
      endings.tell(jobId)
    },
    async work(handler) {
      // A notification starts a job at once; looking every second is for what a notification missed, such as a retry.
      const polling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 }
      const options = { ...polling, localConcurrency: JOBS_AT_ONCE }
      const worker: string = await boss.work<object>(QUEUE, options, async ([job]) => {
        if (job === undefined) return
        await attempt(handler, job.id, job.retryCount >= RETRIES)
        // A worker that was busy has missed the notification of what came meanwhile.
        boss.notifyWorker(worker)
      })
    },
    async stop() {
      stopping = true
      for (const controller of running.values()) stopWith(controller, 'stopping')
      await boss.stop({ graceful: true, timeout: STOP_DEADLINE_MS })
    },
  }
}

/** We hold the only lock and clear the queue at every start: no schedules, no supervision, no statistics. */
const QUIET: ConstructorOptions = { schedule: false, supervise: false, persistWarnings: false }

const within = (tx: Orm) => ({ db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql) })

function connectionOf({ connection }: Database): ConstructorOptions {
  return connection.kind === 'embedded'
    ? { db: fromPglite(connection.pglite), backend: 'pglite' }
    : { connectionString: connection.url, max: 4, application_name: 'local-dictation queue' }
}
