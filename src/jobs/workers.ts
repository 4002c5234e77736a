// Runs the jobs of one queue of pg-boss, a few at once, on pg-boss's own workers.
// Their slow polling is only a net: `wake` names the worker that fetches next.

import type { PgBoss } from 'pg-boss'
import type { ClockWatch } from '../lib/clock-watch.ts'
import type { Log } from '../lib/log.ts'
import { pause, persist } from '../lib/persist.ts'

/** Why the signal of a job fires. */
export type StopReason = 'canceled' | 'stopping'

export type JobOutcome = 'done' | 'again'

export type DeliveredJob<Data> = { id: string; data: Data; retryCount: number }

type Work<Data> = {
  /** the ids of jobs that the last run left to be retried */
  paused?: readonly string[]
  /** Throws where the outcome cannot be written, and is then called again. */
  handle(job: DeliveredJob<Data>, signal: AbortSignal): Promise<JobOutcome>
  /** Writes the outcome where `handle` has not. */
  settle?(jobId: string, outcome: JobOutcome): Promise<void>
}

export type Workers<Data> = {
  start(work: Work<Data>): Promise<void>
  /** Call it after the commit of a new job. */
  wake(): void
  /** Call it after the commit that ended a job. */
  cancel(jobId: string): void
  /** Aborts the running jobs, and waits for them. */
  stop(): Promise<void>
}

type Options = {
  boss: PgBoss
  queue: string
  slots: number
  pollSeconds: number
  /** How often to look for paused jobs, and again after a failed fetch. */
  lookMs: number
  watch: ClockWatch
  log: Log
}

const STOP_DEADLINE_MS = 4000

export function createWorkers<Data>(options: Options): Workers<Data> {
  const { boss, queue, slots, pollSeconds, lookMs, watch, log } = options
  const idle = new Set<string>()
  const running = new Map<string, { controller: AbortController; over: Promise<void> }>()
  /** failed once, and not fetched since */
  const paused = new Set<string>()
  let fetchFailed = false
  let timer: Timer | undefined
  let stopping = false

  // One is enough: a worker that gets a job wakes the next.
  const wake = (): void => {
    const [next] = idle
    if (next !== undefined) boss.notifyWorker(next)
  }

  const look = async (): Promise<void> => {
    // The database's clock may have been put back, which moves the end of a pause away.
    if (watch.hasJumped()) for (const id of paused) await boss.update(queue, undefined, { id, startAfter: 0 })
    if (fetchFailed || paused.size > 0) wake()
    fetchFailed = false
  }

  boss.on('error', (error: Error & { queue?: string }) => {
    fetchFailed ||= error.queue === queue
  })

  const run = async (job: DeliveredJob<Data>, { handle, settle }: Work<Data>, signal: AbortSignal) => {
    const until = { until: signal, onFailure: (error: unknown) => logFailure(log, queue, error) }
    const outcome = await persist(() => handle(job, signal), until)
    if (outcome === 'again') paused.add(job.id)
    if (outcome !== null && settle) await persist(() => settle(job.id, outcome), until)
  }

  const deliver = async (job: DeliveredJob<Data>, work: Work<Data>): Promise<void> => {
    paused.delete(job.id)
    // A job whose heartbeats were lost is delivered again.
    while (running.has(job.id)) await running.get(job.id)?.over
    if (stopping) return
    const controller = new AbortController()
    const over = run(job, work, controller.signal).finally(() => running.delete(job.id))
    running.set(job.id, { controller, over })
    await over
  }

  return {
    async start(work) {
      for (const id of work.paused ?? []) paused.add(id)
      for (let slot = 0; slot < slots; slot++) {
        const options = { pollingIntervalSeconds: pollSeconds }
        const worker = await boss.work<Data>(queue, options, async ([job]) => {
          idle.delete(worker)
          wake()
          try {
            if (job !== undefined) await deliver(job as typeof job & DeliveredJob<Data>, work)
          } finally {
            // Nobody else has looked for the jobs that came meanwhile.
            if (idle.size === 0 || paused.has(job?.id ?? '')) boss.notifyWorker(worker)
            idle.add(worker)
          }
        })
        idle.add(worker)
      }
      timer = setInterval(() => void look().catch((error) => logFailure(log, queue, error)), lookMs)
    },
    wake,
    cancel(jobId) {
      paused.delete(jobId)
      running.get(jobId)?.controller.abort('canceled' satisfies StopReason)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      for (const { controller } of running.values()) controller.abort('stopping' satisfies StopReason)
      await Promise.race([boss.offWork(queue), pause(STOP_DEADLINE_MS)])
    },
  }
}

function logFailure(log: Log, queue: string, error: unknown): void {
  log.error(
    { queue, reason: error instanceof Error ? error.message : String(error) },
    'a job waits for the database',
  )
}
