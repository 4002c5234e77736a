// Retranscribes the captures of batches. The feeder queues one job at a time: a dictation never waits behind a batch,
// and ten thousand captures cost no more memory than one. Its state is in the database, so a restart resumes the work.

import {
  cancelBatch as cancelRows,
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
import { withBallast } from '../lib/ballast.ts'
import type { Clock } from '../lib/clock.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { baseLanguage } from '../text/language-names.ts'
import { CAPTURE_GONE, IN_TRASH, type Retranscription, SAME_MODEL } from './batch.ts'
import type { Queue } from './queue.ts'
import { createWakeLoop, type WakeLoop } from './wake-loop.ts'

export type BatchDeps = {
  database: Database
  dataFolder: string
  captures: Captures
  queue: Pick<Queue, 'completions' | 'closing'>
  clock: Clock
  log: Log
  /** by batch: feeding and cancelling one never race */
  turn: KeyedLock
}

/** A second one would only make dictations wait longer: the engine uses all cores for one window. */
const AT_ONCE = 1
/** The feeder tries so many busy captures before it leaves a batch for later. */
const LOOKED_AT = 50
/** Longer than any job takes; a timer cannot last longer than 24 days. */
const UNTIL_ENDED_MS = 20 * 24 * 3_600_000

export function createBatchFeeder(deps: BatchDeps): WakeLoop {
  const { database, queue, turn } = deps
  const watched = new Set<string>()

  const loop = createWakeLoop(
    async () => {
      const batches = await database.run((orm) => runningBatches(orm, 'retranscribe'))
      if (batches.length === 0) return false
      const jobIds = (await database.run(unfinishedBatchJobs)).map(({ id }) => id)
      for (const batch of batches)
        await turn(batch.id, async () => {
          jobIds.push(...(await feed(batch, AT_ONCE - jobIds.length)))
          await database.run((orm) => endBatchIfDone(orm, batch.id, deps.clock()))
        })
      watch(jobIds)
      return true
    },
    { log: deps.log, what: 'retranscribe' },
  )

  /** Watches each job once: waiting for a job without a worker ends at once, again and again. */
  function watch(jobIds: string[]): void {
    for (const jobId of watched) if (!jobIds.includes(jobId)) watched.delete(jobId)
    for (const jobId of jobIds.filter((one) => !watched.has(one))) {
      watched.add(jobId)
      const patience = { timeoutMs: UNTIL_ENDED_MS, signal: queue.closing }
      void queue.completions.wait(jobId, patience).then(loop.wake)
    }
  }

  /** Queues up to so many jobs and returns their ids. */
  async function feed(batch: BatchRow, places: number): Promise<string[]> {
    const jobIds: string[] = []
    let after: string | null = null
    for (let looked = 0; looked < LOOKED_AT && jobIds.length < places; ) {
      if (queue.closing.aborted) break
      const [captureId] = await database.run((orm) => itemsToDo(orm, { batchId: batch.id, after, limit: 1 }))
      if (captureId === undefined) break
      const outcome = await queueItem(deps, batch, captureId)
      if (outcome === 'no_room') break
      // Skipped ones cost nothing.
      if (outcome === 'busy') looked++
      if (typeof outcome === 'object') jobIds.push(outcome.jobId)
      after = captureId
    }
    return jobIds
  }

  return loop
}

/**
 * Stops the jobs of a batch and cancels what is left of it; false where it had ended already. Must be called in the
 * turn of the batch. Works on a full disk, too.
 */
export async function cancelBatch(deps: BatchDeps, id: string): Promise<boolean> {
  const { database, dataFolder, captures, clock } = deps
  const jobs = (await database.run(unfinishedBatchJobs)).filter(({ batchId }) => batchId === id)
  for (const job of jobs) await captures.cancel(job.captureId, job.id)
  return withBallast(dataFolder, () => database.transaction((tx) => cancelRows(tx, id, clock())))
}

type Queued = { jobId: string } | 'busy' | 'no_room' | 'over'

async function queueItem(deps: BatchDeps, { id, request }: BatchRow, captureId: string): Promise<Queued> {
  const { database, captures } = deps
  const asked = request as Retranscription
  const end = async (state: 'failed' | 'skipped', error: StoredError) => {
    await database.run((orm) => changeItems(orm, { batchId: id, captureIds: [captureId], state, error }))
    return 'over' as const
  }
  const capture = await captures.get(captureId)
  if (capture === null) return end('skipped', CAPTURE_GONE)
  if (capture.trashedAt !== null) return end('skipped', IN_TRASH)
  if (asked.skipIfSameModel && isDoneBy(asked, capture)) return end('skipped', SAME_MODEL)
  const language = asked.language === 'auto' ? null : (asked.language ?? capture.language)
  if (!asked.multilingual && language !== null && baseLanguage(language) !== 'en')
    return end('failed', onlyEnglish(asked, language))
  const { model, prompt, keepRefined } = asked
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
  message: `The model ${model} knows only English, and the capture is in "${language}".`,
})
