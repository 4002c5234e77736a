// Runs the jobs of one pg-boss queue, a few at once. Slow polling is only a fallback: `wake` triggers the next fetch.

import type { PgBoss } from 'pg-boss'
import type { ClockWatch } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { pause, retry } from '../lib/retry.ts'

/** Why the signal of a job fires. */
export type StopReason = 'canceled' | 'stopping'

/** `left`: the server stopped before the job began. */
export type JobOutcome = 'done' | 'again' | 'left'

export type DeliveredJob<Data> = { id: string; data: Data; retryCount: number }

export type Handling<Data> = {
  /** Throws where the outcome cannot be written, and is then called again. */
  handle(job: DeliveredJob<Data>, signal: AbortSignal): Promise<JobOutcome>
  /** Writes the outcome if `handle` has not. */
  settle?(jobId: string, outcome: 'done' | 'again'): Promise<void>
}

export type Workers<Data> = ReturnType<typeof createWorkers<Data>>

type Options = {
  boss: PgBoss
  queue: string
  slots: number
  /** which jobs these slots take; by default all */
  priorities?: { minPriority?: number; maxPriority?: number }
  pollSeconds: number
  /** How often to check for paused jobs, and again after a failed fetch. */
  lookMs: number
  watch: ClockWatch
  log: Log
}

const STOP_DEADLINE_MS = 4000
/** A job starts before the next is fetched: an embedded database runs one query at a time. */
const NEXT_MS = 10

/** pg-boss retries a job whose handler throws, and counts any other as completed. */
const left = () => new Error('the server stopped before the job was done')

export function createWorkers<Data>({
  boss,
  queue,
  slots,
  priorities = {},
  pollSeconds,
  lookMs,
  watch,
  log,
}: Options) {
  const idle = new Set<string>()
  const running = new Map<string, { controller: AbortController; over: Promise<void> }>()
  /** failed, and not delivered since */
  const paused = new Set<string>()
  let fetchFailed = false
  let timer: Timer | undefined
  let stopping = false

  /** Call it after the commit of a new job. One worker is enough: it wakes the next when it gets a job. */
  const wake = (): void => {
    const [next] = idle
    if (next !== undefined) boss.notifyWorker(next)
  }

  const onFailure = (error: unknown) =>
    log.error(
      { queue, reason: error instanceof Error ? error.message : String(error) },
      'a job is waiting for the database',
    )

  const look = async (): Promise<void> => {
    // A database clock that was set back would delay the end of a pause.
    if (watch.hasJumped()) for (const id of paused) await boss.update(queue, undefined, { id, startAfter: 0 })
    if (fetchFailed || paused.size > 0) wake()
    fetchFailed = false
  }

  boss.on('error', (error: Error & { queue?: string }) => {
    fetchFailed ||= error.queue === queue
  })

  async function perform(
    job: DeliveredJob<Data>,
    { handle, settle }: Handling<Data>,
    until: AbortSignal,
  ): Promise<void> {
    const outcome = await retry(() => handle(job, until), { until, onFailure })
    if (outcome === null || outcome === 'left') throw left()
    if (outcome === 'again') paused.add(job.id)
    if (!settle) return
    const settled = await retry(() => settle(job.id, outcome), { until, onFailure })
    if (outcome === 'again' && settled === null) throw left()
  }

  async function deliver(job: DeliveredJob<Data>, handling: Handling<Data>): Promise<void> {
    paused.delete(job.id)
    // A job whose heartbeats were lost is delivered again.
    while (running.has(job.id)) await running.get(job.id)?.over.catch(() => {})
    if (stopping) throw left()
    const controller = new AbortController()
    const over = perform(job, handling, controller.signal).finally(() => running.delete(job.id))
    running.set(job.id, { controller, over })
    await over
  }

  async function startWorker(handling: Handling<Data>): Promise<void> {
    const options = { pollingIntervalSeconds: pollSeconds, ...priorities }
    const id: string = await boss.work<Data>(queue, options, async ([job]) => {
      idle.delete(id)
      setTimeout(wake, NEXT_MS)
      try {
        await deliver(job as DeliveredJob<Data>, handling)
      } finally {
        // While all workers were busy, none has fetched the jobs that came meanwhile.
        if (idle.size === 0 || paused.has(job!.id)) boss.notifyWorker(id)
        idle.add(id)
      }
    })
    idle.add(id)
  }

  return {
    wake,
    running: () => [...running.keys()],
    /** `left` are the ids of jobs that the last run left for a retry. */
    async start(handling: Handling<Data>, left: readonly string[] = []): Promise<void> {
      for (const id of left) paused.add(id)
      for (let slot = 0; slot < slots; slot++) await startWorker(handling)
      timer = setInterval(() => void look().catch(onFailure), lookMs)
    },
    /** Call it after the commit that ended a job. */
    cancel(jobId: string): void {
      paused.delete(jobId)
      running.get(jobId)?.controller.abort('canceled' satisfies StopReason)
    },
    /** Aborts the running jobs and waits for them. */
    async stop(): Promise<void> {
      stopping = true
      clearInterval(timer)
      for (const { controller } of running.values()) controller.abort('stopping' satisfies StopReason)
      await Promise.race([boss.offWork(queue), pause(STOP_DEADLINE_MS)])
    },
  }
}
