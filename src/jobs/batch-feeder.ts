// Retranscribes the captures of batches: queues one at a time, so that a dictation never waits behind a batch, and
// so that ten thousand cost no more than one. Where it is stands in the database: a restart goes on where it was.

import {
  adoptJobs,
  changeItems,
  endBatchIfDone,
  queuedItems,
  runningBatches,
  settleItems,
  waitingItems,
} from '../../db/batches.ts'
import type { Database } from '../../db/database.ts'
import type { BatchRow, StoredError } from '../../db/schema.ts'
import type { Capture } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import type { Clock } from '../lib/clock.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { baseLanguage } from '../text/language-names.ts'
import { CAPTURE_GONE, IN_TRASH, type Retranscription, SAME_MODEL } from './batch.ts'
import type { BatchFiles } from './batch-files.ts'
import type { Queue } from './queue.ts'
import { createWakeLoop, type WakeLoop } from './wake-loop.ts'

export type BatchDeps = {
  database: Database
  captures: Captures
  queue: Pick<Queue, 'completions' | 'closing'>
  clock: Clock
  log: Log
  /** one thing at a time with each batch, so that feeding and cancelling never race */
  turn: KeyedLock
  files: BatchFiles
}

/** A second one would only make dictations wait longer: the engine uses all cores for one window anyway. */
const AT_ONCE = 1
/** Busy captures that are passed over before a batch is left for later. */
const LOOKED_AT = 50
/** Longer than any job takes; a timer cannot last longer than 24 days. */
const UNTIL_ENDED_MS = 20 * 24 * 3_600_000

export function createBatchFeeder(deps: BatchDeps): WakeLoop {
  const { database, queue, turn } = deps
  /** by running batch: its captures that are in the queue; null where that has to be looked for among all of them */
  let queuedOf: Map<string, string[]> | null = null
  const watched = new Set<string>()

  const loop = createWakeLoop(
    async () => {
      const before = queuedOf
      // Only what a whole round has seen is known.
      queuedOf = null
      const now = new Map<string, string[]>()
      const jobIds: string[] = []
      const batches = await database.run((orm) => runningBatches(orm, 'retranscribe'))
      for (const batch of batches) {
        const known = before && (before.get(batch.id) ?? [])
        const queued = await turn(batch.id, () => tend(batch, { known, places: AT_ONCE - jobIds.length }))
        now.set(
          batch.id,
          queued.map(({ captureId }) => captureId),
        )
        jobIds.push(...queued.map(({ jobId }) => jobId))
      }
      queuedOf = now
      watch(jobIds)
      return batches.length > 0
    },
    { log: deps.log, what: 'retranscribe' },
  )

  /** What of this batch is in the queue afterwards. */
  async function tend(
    batch: BatchRow,
    { known, places }: { known: string[] | null; places: number },
  ): Promise<QueuedItem[]> {
    const { id } = batch
    const captureIds = known ?? (await adopt(id))
    await database.run((orm) => settleItems(orm, { batchId: id, captureIds, error: CAPTURE_GONE }))
    const items = await database.run((orm) => queuedItems(orm, id, captureIds))
    const queued = items.map(({ captureId, jobId }) => ({ captureId, jobId: jobId! }))
    if (queued.length < places) queued.push(...(await feed(batch, places - queued.length)))
    await endIfDone(deps, id)
    return queued
  }

  /** Makes the items agree with the jobs; the captures of those that are queued. */
  async function adopt(batchId: string): Promise<string[]> {
    await database.run((orm) => adoptJobs(orm, batchId))
    return (await database.run((orm) => queuedItems(orm, batchId))).map(({ captureId }) => captureId)
  }

  /** Each once: a job that nobody works on would end its waiting at once, again and again. */
  function watch(queued: string[]): void {
    for (const jobId of watched) if (!queued.includes(jobId)) watched.delete(jobId)
    for (const jobId of queued.filter((one) => !watched.has(one))) {
      watched.add(jobId)
      const patience = { timeoutMs: UNTIL_ENDED_MS, signal: queue.closing }
      void queue.completions.wait(jobId, patience).then(loop.wake)
    }
  }

  /** What was queued. */
  async function feed(batch: BatchRow, places: number): Promise<QueuedItem[]> {
    const fed: QueuedItem[] = []
    let after: string | null = null
    for (let looked = 0; looked < LOOKED_AT && fed.length < places; ) {
      if (queue.closing.aborted) break
      const [captureId] = await database.run((orm) =>
        waitingItems(orm, { batchId: batch.id, after, limit: 1 }),
      )
      if (captureId === undefined) break
      const outcome = await queueItem(deps, batch, captureId)
      if (outcome === 'no_room') break
      // A busy one waits for its turn; those that were skipped cost nothing.
      if (outcome === 'busy') looked++
      if (typeof outcome === 'object') fed.push({ captureId, ...outcome })
      after = captureId
    }
    return fed
  }

  return loop
}

/** Ends a batch of which nothing is left to be done; must be called in its turn. */
export async function endIfDone({ database, files, clock }: BatchDeps, id: string): Promise<void> {
  if (await database.run((orm) => endBatchIfDone(orm, id, clock()))) await files.remove(id)
}

type QueuedItem = { captureId: string; jobId: string }

type Queued = { jobId: string } | 'busy' | 'no_room' | 'over'

async function queueItem(deps: BatchDeps, { id, request }: BatchRow, captureId: string): Promise<Queued> {
  const { database, captures } = deps
  const asked = request as Retranscription
  const end = async (state: 'completed' | 'failed' | 'skipped', error: StoredError | null) => {
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
  const { jobId } = queued.value
  await database.run((orm) =>
    changeItems(orm, { batchId: id, captureIds: [captureId], state: 'queued', jobId }),
  )
  return { jobId }
}

const isDoneBy = ({ model, language }: Retranscription, capture: Capture): boolean =>
  capture.status === 'completed' &&
  capture.sttModel === model &&
  (language === null || (capture.language ?? 'auto') === language)

const onlyEnglish = ({ model }: Retranscription, language: string) => ({
  code: 'unsupported_language',
  message: `The model ${model} knows only English, and the capture is in "${language}".`,
})
