// Runs batches: queues the jobs of retranscriptions, deletes captures, cancels the rest. The state is in the database,
// so a restart resumes the work.

import {
  cancelBatchAndItems,
  changeItems,
  endBatchIfDone,
  itemsToDo,
  runningBatches,
} from '../../db/batches.ts'
import type { Database } from '../../db/database.ts'
import { unfinishedBatchJobs } from '../../db/jobs.ts'
import type { BatchRow, StoredError } from '../../db/schema.ts'
import type { Capture } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import type { Clock } from '../lib/clock.ts'
import { DatabaseUnavailableError } from '../lib/database-errors.ts'
import { withDiskReserve } from '../lib/disk-space.ts'
import type { Log } from '../lib/log.ts'
import { baseLanguage } from '../text/language-names.ts'
import type { Queue } from './queue.ts'

export type BatchDeps = {
  database: Database
  dataFolder: string
  captures: Captures
  queue: Pick<Queue, 'completions' | 'closing' | 'servers'>
  clock: Clock
  log: Log
}

/** What a batch does to each of its captures. */
export type Retranscription = {
  /** catalogue name */
  model: string
  /** whether the model knows more than English */
  multilingual: boolean
  /** ISO 639-1, or `auto`; null repeats the request of each capture */
  language: string | null
  prompt: string | null
  keepRefined: boolean
  skipIfSameModel: boolean
  /** chosen by the client: while a batch of this key runs, another request joins it; null never joins */
  key: string | null
}

export const SAME_MODEL = {
  code: 'same_model',
  message: 'It already has a transcript by this model.',
}
export const CAPTURE_GONE = { code: 'capture_not_found', message: 'The capture no longer exists.' }
export const IN_TRASH = { code: 'capture_in_trash', message: 'The capture is in the trash.' }
export const AUDIO_GONE = {
  code: 'audio_gone',
  message: 'The audio of this capture is gone; only its text is left.',
}

/** Under this name, servers feed, delete and cancel batches one at a time. */
export const IN_TURN = 'batches'

/** On one server, a second job would only delay dictations: the engine uses all cores for one window. */
const AT_ONCE = 1
/** The feeder tries this many busy captures before it pauses a batch. */
const LOOKED_AT = 50
/** Longer than any job takes; a timer cannot last longer than 24 days. */
const UNTIL_ENDED_MS = 20 * 24 * 3_600_000

/**
 * Retranscribes the captures of batches, by turns. Few jobs are queued at once: a dictation never waits behind a batch,
 * and ten thousand captures cost no more memory than one.
 */
export function createBatchFeeder(deps: BatchDeps): WakeLoop {
  const { database, queue } = deps
  const watched = new Set<string>()
  /** the batches in the order in which they last got a job; of one server, since a wrong turn costs little */
  let served: string[] = []

  const loop = createWakeLoop(
    async () => {
      const batches = await database.run((orm) => runningBatches(orm, 'retranscribe'))
      if (batches.length === 0) return false
      served = served.filter((id) => batches.some((batch) => batch.id === id))
      const jobIds = await database.exclusively(IN_TURN, () => feedAll(batches))
      if (jobIds !== null) watch(jobIds)
      return true
    },
    { log: deps.log, what: 'retranscribe' },
  )

  /** Watches each job once: waiting for a job without a worker ends at once, again and again. */
  function watch(jobIds: readonly string[]): void {
    for (const jobId of watched) if (!jobIds.includes(jobId)) watched.delete(jobId)
    for (const jobId of jobIds.filter((one) => !watched.has(one))) {
      watched.add(jobId)
      // Another server may have queued it.
      if (database.kind === 'external') queue.completions.expect(jobId)
      const patience = { timeoutMs: UNTIL_ENDED_MS, signal: queue.closing }
      void queue.completions.wait(jobId, patience).then(loop.wake)
    }
  }

  /** Gives each place to the batch with the fewest jobs, then to the one that has waited longest. Returns all jobs. */
  async function feedAll(batches: readonly BatchRow[]): Promise<string[]> {
    const jobs = await database.run(unfinishedBatchJobs)
    const jobIds = jobs.map(({ id }) => id)
    const counts = new Map(batches.map(({ id }) => [id, jobs.filter(({ batchId }) => batchId === id).length]))
    const rankOf = ({ id }: BatchRow) => [counts.get(id)!, served.indexOf(id)] as const
    const open = new Set(batches)
    // One more, so that none of several servers waits for the feeder.
    const places = database.kind === 'embedded' ? AT_ONCE : (await queue.servers()).length * AT_ONCE + 1
    while (jobIds.length < places && open.size > 0) {
      const [next] = [...open].sort((one, other) => {
        const [[jobsOf, turnOf], [otherJobs, otherTurn]] = [rankOf(one), rankOf(other)]
        return jobsOf - otherJobs || turnOf - otherTurn
      })
      const jobId = await feed(next!)
      if (jobId === null) open.delete(next!)
      else {
        jobIds.push(jobId)
        counts.set(next!.id, counts.get(next!.id)! + 1)
        served = [...served.filter((id) => id !== next!.id), next!.id]
      }
    }
    for (const { id } of batches) await database.run((orm) => endBatchIfDone(orm, id, deps.clock()))
    return jobIds
  }

  /** Queues one job and returns its id; null if none can be queued now. */
  async function feed(batch: BatchRow): Promise<string | null> {
    let after: string | null = null
    for (let looked = 0; looked < LOOKED_AT && !queue.closing.aborted; ) {
      const [captureId] = await database.run((orm) => itemsToDo(orm, { batchId: batch.id, after, limit: 1 }))
      if (captureId === undefined) break
      const outcome = await queueItem(deps, batch, captureId)
      if (outcome === 'no_room') break
      if (typeof outcome === 'object') return outcome.jobId
      // Skipped ones cost nothing.
      if (outcome === 'busy') looked++
      after = captureId
    }
    return null
  }

  return loop
}

type Queued = { jobId: string } | 'busy' | 'no_room' | 'over'

async function queueItem(deps: BatchDeps, { id, request }: BatchRow, captureId: string): Promise<Queued> {
  const { database, captures } = deps
  const requested = request as Retranscription
  const end = async (state: 'failed' | 'skipped', error: StoredError) => {
    await database.run((orm) => changeItems(orm, { batchId: id, captureIds: [captureId], state, error }))
    return 'over' as const
  }
  const capture = await captures.get(captureId)
  if (capture === null) return end('skipped', CAPTURE_GONE)
  if (capture.trashedAt !== null) return end('skipped', IN_TRASH)
  if (requested.skipIfSameModel && isDoneBy(requested, capture)) return end('skipped', SAME_MODEL)
  const language = requested.language === 'auto' ? null : (requested.language ?? capture.language)
  if (!requested.multilingual && language !== null && baseLanguage(language) !== 'en')
    return end('failed', onlyEnglish(requested, language))
  const { model, prompt, keepRefined } = requested
  const queued = await captures.retranscribe(captureId, { model, language, prompt, keepRefined, batchId: id })
  if (!queued.ok) {
    const { code, message } = queued.failure
    if (code === 'capture_busy') return 'busy'
    if (code === 'queue_full' || code === 'disk_full') return 'no_room'
    return end('skipped', { code, message })
  }
  return queued.value
}

const isDoneBy = ({ model, language }: Retranscription, capture: Capture): boolean =>
  capture.status === 'completed' &&
  capture.sttModel === model &&
  (language === null || (capture.language ?? 'auto') === language)

const onlyEnglish = ({ model }: Retranscription, language: string) => ({
  code: 'unsupported_language',
  message: `The model ${model} supports only English, and the capture is in "${language}".`,
})

/** One statement ends this many items; few enough that a cancellation spares most of a large batch. */
const CHUNK = 20

/** Deletes the captures of batches for good, one by one. */
export function createBatchRemoval(deps: BatchDeps): WakeLoop {
  const { database, queue } = deps
  return createWakeLoop(
    async () => {
      let isElsewhere = false
      for (const batch of await database.run((orm) => runningBatches(orm, 'delete'))) {
        let isLeft: boolean | null = true
        while (!queue.closing.aborted && isLeft)
          isLeft = await database.exclusively(IN_TURN, () => removeSome(deps, batch))
        isElsewhere ||= isLeft === null
      }
      return isElsewhere
    },
    { log: deps.log, what: 'delete' },
  )
}

/** False if nothing was left to do. */
async function removeSome(deps: BatchDeps, { id }: BatchRow): Promise<boolean> {
  const { database, clock } = deps
  const captureIds = await database.run((orm) => itemsToDo(orm, { batchId: id, after: null, limit: CHUNK }))
  const removed: string[] = []
  for (const captureId of captureIds) if (await removeOne(deps, id, captureId)) removed.push(captureId)
  await database.transaction(async (tx) => {
    await changeItems(tx, { batchId: id, captureIds: removed, state: 'completed' })
    await endBatchIfDone(tx, id, clock())
  })
  return captureIds.length > 0
}

/** True also for a capture that was deleted before. If a removal fails, its item stores the reason. */
async function removeOne(
  { database, captures, log }: BatchDeps,
  batchId: string,
  captureId: string,
): Promise<boolean> {
  try {
    await captures.remove(captureId)
    return true
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error
    log.error(
      { captureId, reason: error instanceof Error ? error.message : String(error) },
      'a capture was not deleted',
    )
    const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
    await database.run((orm) =>
      changeItems(orm, { batchId, captureIds: [captureId], state: 'failed', error: failure }),
    )
    return false
  }
}

/**
 * Stops the jobs of a batch and cancels the rest of it; false if it had ended. Must be called in the turn of the batch.
 * Works on a full disk.
 */
export async function cancelBatch(deps: BatchDeps, id: string): Promise<boolean> {
  const { database, dataFolder, captures, clock } = deps
  const jobs = (await database.run(unfinishedBatchJobs)).filter(({ batchId }) => batchId === id)
  for (const job of jobs) await captures.cancel(job.captureId, job.id)
  return withDiskReserve(dataFolder, () => database.transaction((tx) => cancelBatchAndItems(tx, id, clock())))
}

export type WakeLoop = {
  start(): void
  /** There may be work; a wake during a round starts another round after it. */
  wake(): void
  /** Starts no further round, and waits for the current one. */
  stop(): Promise<void>
}

/** The pause while work is left: no wake follows when, for example, a busy capture becomes free. */
const LOOK_AGAIN_MS = 5000

/** Runs rounds of work, one at a time, whenever it is woken; a round returns whether work is left. */
function createWakeLoop(work: () => Promise<boolean>, { log, what }: { log: Log; what: string }): WakeLoop {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let more = false
  let started = false

  const run = async (): Promise<void> => {
    clearTimeout(timer)
    let isLeft = false
    while (more && started) {
      more = false
      try {
        isLeft = await work()
      } catch (error) {
        // The database may be unreachable.
        isLeft = true
        log.error(
          { what, reason: error instanceof Error ? error.message : String(error) },
          'a round of work on batches failed',
        )
      }
    }
    running = null
    if (isLeft && started) timer = setTimeout(wake, LOOK_AGAIN_MS)
  }
  const wake = (): void => {
    more = true
    if (started) running ??= run()
  }
  return {
    start() {
      started = true
      wake()
    },
    wake,
    async stop() {
      started = false
      clearTimeout(timer)
      await running
    },
  }
}
