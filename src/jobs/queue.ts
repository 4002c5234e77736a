// Delivers jobs to their handler: pg-boss, in the same database as the rows, so that both commit together.
// What a job does is capture-job.ts; what people see of it is jobs.ts.

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
import type { Delivery, JobKey } from '../captures/delivery.ts'
import { systemClock } from '../lib/clock.ts'
import { type ClockWatch, createClockWatch } from '../lib/clock-watch.ts'
import type { Log } from '../lib/log.ts'
import { timeOfId } from '../lib/uuid.ts'
import { createJobCompletions, type JobCompletions } from './job-completions.ts'
import { createWorker, type JobHandler } from './worker.ts'

const QUEUE = 'transcribe'
/** Crashes and timeouts are tried again this often; what fails for good ends at once. */
const RETRIES = 2
/** No job expires: the engine has deadlines of its own, window by window. This is pg-boss's longest. */
const EXPIRE_SECONDS = 24 * 3600
const TIDY_AFTER_MS = 500
/** At least what TRY_LATER makes of so many retries. */
const LONGEST_PAUSE_SECONDS = 60
/** What is older than that when it is sent was sent before, or could not be. */
const NEW_WITHIN_MS = 1000

type Payload = { captureId: string; alone: boolean }

export type Queue = Omit<Delivery, 'send'> & {
  /** `alone`: nothing else is to be worked on beside it */
  send(tx: Orm, jobs: (JobKey & { alone?: boolean })[]): Promise<void>
  /** for the other queues of this database; stops with this one */
  boss: PgBoss
  /** puts back what a queue has given, but for what is held: the answer with the rest was lost */
  putBackOthers(queue: string, held: readonly string[]): Promise<void>
  /** gives what waits for a time that is farther off than any pause is: a clock that was put back has moved it there */
  dueAgain(queue: string, longestPauseSeconds: number): Promise<void>
  completions: JobCompletions
  work(handler: JobHandler): void
  /** stops the handlers, who put their jobs back */
  stop(): Promise<void>
}

/**
 * Prepares pg-boss's own tables and forgets every delivery of the last run: the caller holds the instance lock, so
 * whatever was active is an orphan, and all that is still to be done is sent again from the rows (see resume.ts).
 */
export async function openQueue({
  database,
  log,
  watch = createClockWatch(systemClock),
}: {
  database: Database
  log: Log
  watch?: ClockWatch
}): Promise<Queue> {
  const boss = new PgBoss({ ...connectionOf(database), ...QUIET })
  boss.on('error', (error) => log.error({ reason: error.message }, 'the queue has a problem'))
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the queue warns'))
  await boss.start()
  const options = { retryLimit: RETRIES, expireInSeconds: EXPIRE_SECONDS }
  await ensureQueue(boss, QUEUE, options)
  await boss.deleteAllJobs(QUEUE)

  // What became of a job is told by its own row; its delivery is of no use any more, and would stay until the next start.
  // That a delivery is over needs no promptness, and saying it of many at once keeps it out of people's way.
  const over: string[] = []
  let tidying: Timer | undefined
  const tidy = () =>
    boss
      .deleteJob(QUEUE, over.splice(0))
      .catch((error: Error) => log.warn({ reason: error.message }, 'finished deliveries are not put away'))

  const putBackOthers: Queue['putBackOthers'] = async (name, held) => {
    const { rows } = await boss.getDb().executeSql(PUT_BACK_OTHERS, [name, held])
    if (rows.length > 0)
      log.warn({ queue: name, jobs: rows.length }, 'jobs that nobody works on were put back')
  }

  const dueAgain: Queue['dueAgain'] = async (name, longestPauseSeconds) => {
    await boss.getDb().executeSql(DUE_AGAIN, [name, longestPauseSeconds])
  }

  /** What crashed once may be the machine's trouble, which takes time to pass; others go on meanwhile. */
  const tryLater = async (jobId: string) => {
    const { rows } = await boss.getDb().executeSql(TRY_LATER, [QUEUE, jobId])
    for (const { pause } of rows as { pause: number }[]) setTimeout(() => worker.wake(), pause).unref()
  }

  const closing = new AbortController()
  const completions = createJobCompletions()
  const worker = createWorker({
    async take(limit) {
      if (watch.hasJumped()) await dueAgain(QUEUE, LONGEST_PAUSE_SECONDS)
      const jobs = await boss.fetch<Payload>(QUEUE, { batchSize: limit })
      // It takes the oldest, and gives them in any order; ids sort by age.
      return jobs
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .map(({ id, data, retryCount }) => ({
          key: { id, captureId: data.captureId },
          isLast: retryCount >= RETRIES,
          alone: data.alone,
        }))
    },
    putBackOthers: (held) => putBackOthers(QUEUE, [...held, ...over]),
    settle: async (jobId, outcome) => {
      if (outcome === 'again') await tryLater(jobId)
      else if (over.push(jobId) === 1) tidying = setTimeout(tidy, TIDY_AFTER_MS)
    },
    log,
  })
  return {
    boss,
    putBackOthers,
    dueAgain,
    completions,
    closing: closing.signal,
    async send(tx, keys) {
      for (const { id } of keys) completions.expect(id)
      const jobs = keys.map(({ id, captureId, alone = false }) => ({
        id,
        data: { captureId, alone } satisfies Payload,
      }))
      if (jobs.length > 0) await boss.insert(QUEUE, jobs, within(tx))
      await keepAges(tx, jobs)
    },
    wake: worker.wake,
    async withdraw(tx, jobId) {
      await boss.deleteJob(QUEUE, jobId, within(tx))
    },
    ended(jobId, capture) {
      worker.cancel(jobId)
      completions.tell(jobId, capture)
    },
    work: worker.start,
    async stop() {
      closing.abort()
      await worker.stop()
      clearTimeout(tidying)
      await boss.stop({ graceful: false })
    },
  }
}

/** As pg-boss's own `fail`, whose pauses are whole seconds or more: half a second, then four. */
const TRY_LATER = `
  update pgboss.job set state = 'retry', start_after = now() + interval '500 ms' * power(8, retry_count)
  where name = $1 and id = $2 and state = 'active'
  returning 500 * power(8, retry_count)::integer as pause`

const DUE_AGAIN = `
  update pgboss.job set start_after = now()
  where name = $1 and state < 'active' and start_after > now() + make_interval(secs => $2::integer)`

/** As pg-boss's own `restore`, which it keeps to itself, does it: what was lost counts as no attempt. */
const PUT_BACK_OTHERS = `
  update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
  where name = $1 and state = 'active' and id <> all($2::uuid[])
  returning id`

/** pg-boss gives the oldest first, and takes a job to be made when it is inserted: one that is sent again would come last. */
async function keepAges(tx: Orm, jobs: { id: string }[]): Promise<void> {
  const ages = jobs.map(({ id }) => ({ id, at: timeOfId(id) }))
  const aged = ages.filter(({ at }) => Date.now() - at.getTime() > NEW_WITHIN_MS)
  if (aged.length > 0)
    await tx.execute(sql`
      update pgboss.job set created_on = aged.at
      from json_to_recordset(${JSON.stringify(aged)}::json) as aged(id uuid, at timestamptz)
      where job.name = ${QUEUE} and job.id = aged.id`)
}

type QueueOptions = NonNullable<Parameters<PgBoss['createQueue']>[1]>

/** Making one calls a procedure, for which Postgres loads a language: a tenth of each start, for nothing. */
export async function ensureQueue(boss: PgBoss, name: string, options: QueueOptions): Promise<void> {
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, options)
  else await boss.updateQueue(name, options)
}

/**
 * We hold the only lock, clear the queue at every start and delete what is over, so that pg-boss has nothing to supervise. Its own workers
 * are not used: each asks for jobs at every notification and every second (five queries a job were measured, four a
 * second at rest), where this process knows when a job was sent.
 */
const QUIET: ConstructorOptions = { schedule: false, supervise: false, persistWarnings: false }

/** Options of a call to pg-boss that is part of a transaction. */
export const within = (tx: Orm) => ({ db: fromDrizzle(tx as unknown as DrizzleTransactionLike, sql) })

/** Of node-postgres, which pg-boss hands them on to without naming them in its types. */
const DEADLINES = { statement_timeout: STATEMENT_DEADLINE_MS, query_timeout: CALL_DEADLINE_MS }

function connectionOf({ connection }: Database): ConstructorOptions {
  return connection.kind === 'embedded'
    ? { db: fromPglite(connection.client), backend: 'pglite' }
    : {
        connectionString: connection.url,
        max: 4,
        application_name: 'local-dictation queue',
        ...DEADLINES,
      }
}
