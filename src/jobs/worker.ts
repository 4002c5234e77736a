// Runs a few jobs at once: takes the next when one ends or somebody says that there are more.
// Where jobs come from and go to is queue.ts; what is done with one is the handler.

import type { JobKey } from '../captures/delivery.ts'
import type { Log } from '../lib/log.ts'
import { pause, persist } from '../lib/persist.ts'

/** Why a handler's signal fired. */
export type StopReason = 'canceled' | 'stopping'

export type JobAttempt = { signal: AbortSignal; isLast: boolean }

export type JobOutcome = 'done' | 'again'

/** `again` asks for another attempt; throwing means that not even the outcome could be written down. */
export type JobHandler<Key = JobKey> = (job: Key, attempt: JobAttempt) => Promise<JobOutcome>

export type Worker<Key = JobKey> = {
  start(handler: JobHandler<Key>): void
  /** there may be something to do */
  wake(): void
  cancel(jobId: string): void
  /** tells every handler to stop and waits for them */
  stop(): Promise<void>
}

type Delivered<Key> = {
  key: Key
  isLast: boolean
  /** nothing else is worked on beside it */
  alone?: boolean
}

type Source<Key> = {
  /** fewer than asked for means that no more are there */
  take(limit: number): Promise<Delivered<Key>[]>
  /** puts back what the database says is being worked on, but for these, which are */
  putBackOthers(held: readonly string[]): Promise<void>
  settle(jobId: string, outcome: JobOutcome): Promise<void>
  log: Log
}

/** The engine serves windows in turn, so a dictation waits behind one window of a long recording, not behind all. */
const JOBS_AT_ONCE = 4
/** Looks without being told this often, in case a look failed. */
const LOOK_INTERVAL_MS = 5000
const STOP_DEADLINE_MS = 4000
/** A `take` whose answer was lost may have been done, and may still be done until the database's own deadline. */
const DOUBT_MS = 60_000

/** Keys are what `take` tells of a job, with its id at least. */
export function createWorker<Key extends { id: string } = JobKey>({
  take,
  putBackOthers,
  settle,
  log,
}: Source<Key>): Worker<Key> {
  const running = new Map<string, { controller: AbortController; over: Promise<void> }>()
  /** taken, and waiting for one that is to be alone, or to be alone */
  const line: Delivered<Key>[] = []
  let isAlone = false
  let handler: JobHandler<Key> | null = null
  let timer: Timer | undefined
  let looking = false
  let lastLook: Promise<void> = Promise.resolve()
  /** whether more may be there than was taken */
  let more = false
  /** from when on nothing can have been taken that is not known here */
  let sureAt = 0
  let stopping = false

  const wake = (): void => {
    more = true
    lookIfMore()
  }

  const lookIfMore = (): void => {
    if (more && !looking && !stopping && handler !== null) lastLook = look(handler)
  }

  const look = async (handle: JobHandler<Key>): Promise<void> => {
    looking = true
    try {
      if (performance.now() < sureAt) await putBackOthers(held())
      for (let free = freePlaces(); more && free > 0 && !stopping; free = freePlaces()) {
        more = false
        const taken = await take(free)
        if (taken.length === free) more = true
        // One whose `settle` is still tried, since its answer was lost, is put back by that.
        line.push(...taken.filter((job) => !held().includes(job.key.id)))
        beginInLine(handle)
      }
    } catch (error) {
      sureAt = performance.now() + DOUBT_MS
      log.error({ reason: reasonOf(error) }, 'the queue cannot be read')
    }
    looking = false
  }

  const held = () => [...running.keys(), ...line.map(({ key }) => key.id)]

  const freePlaces = () => (isAlone || line.length > 0 ? 0 : JOBS_AT_ONCE - running.size)

  /** In a stop all are begun, to be handed back. */
  const beginInLine = (handle: JobHandler<Key>): void => {
    while (line.length > 0 && (stopping || !isAlone)) {
      const { alone = false } = line[0]!
      if (alone && running.size > 0 && !stopping) return
      isAlone = alone
      begin(line.shift()!, handle)
    }
  }

  const begin = ({ key, isLast }: Delivered<Key>, handle: JobHandler<Key>): void => {
    const controller = new AbortController()
    if (stopping) controller.abort('stopping' satisfies StopReason)
    const work = async () => {
      const attempt = { signal: controller.signal, isLast }
      // An outcome that cannot be written, because the database is away, is no reason to forget the job.
      const outcome = await untilWritten(() => handle(key, attempt), controller.signal)
      if (outcome !== null) await untilWritten(() => settle(key.id, outcome), controller.signal)
      if (outcome === 'again') more = true
    }
    const over = work().finally(() => {
      running.delete(key.id)
      if (running.size === 0) isAlone = false
      beginInLine(handle)
      lookIfMore()
    })
    running.set(key.id, { controller, over })
  }

  const untilWritten = <T>(write: () => Promise<T>, signal: AbortSignal): Promise<T | null> =>
    persist(write, {
      until: signal,
      onFailure: (error) => log.error({ reason: reasonOf(error) }, 'the outcome of a job cannot be written'),
    })

  return {
    start(withHandler) {
      handler = withHandler
      timer = setInterval(wake, LOOK_INTERVAL_MS)
      wake()
    },
    wake,
    cancel: (jobId) => running.get(jobId)?.controller.abort('canceled' satisfies StopReason),
    async stop() {
      stopping = true
      clearInterval(timer)
      for (const { controller } of running.values()) controller.abort('stopping' satisfies StopReason)
      const all = async () => {
        // What it is still given is begun only to be handed back.
        await lastLook
        if (handler !== null) beginInLine(handler)
        await Promise.all([...running.values()].map((job) => job.over))
      }
      await Promise.race([all(), pause(STOP_DEADLINE_MS)])
    },
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
