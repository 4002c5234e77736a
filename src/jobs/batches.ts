// Batches as http/ and server.ts use them: ask for one, look how far it is, cancel the rest of it.
// What is done with their captures is batch-feeder.ts and batch-removal.ts.

import {
  countItems,
  deleteBatch,
  endBatchIfDone,
  findBatch,
  forgetBatches,
  insertBatch,
  insertItems,
  insertItemsMeant,
  listBatches,
  runningBatches,
  sampleErrors,
  skipWhere,
} from '../../db/batches.ts'
import type { Orm } from '../../db/database.ts'
import type { BatchRow } from '../../db/schema.ts'
import { captureConditions } from '../captures/list-captures.ts'
import type { CaptureSelection } from '../captures/which-captures.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { isId, newId } from '../lib/uuid.ts'
import {
  AUDIO_GONE,
  type Batch,
  type BatchDetail,
  type BatchKind,
  type BatchPlan,
  CAPTURE_GONE,
  IN_TRASH,
  ITEM_STATES,
  type Retranscription,
  SAME_MODEL,
} from './batch.ts'
import { estimateBatch } from './batch-estimate.ts'
import { type BatchDeps, cancelBatch, createBatchFeeder } from './batch-feeder.ts'
import { createBatchRemoval } from './batch-removal.ts'
import { moveOldBatches } from './old-batches.ts'

export type Batches = {
  /** takes up what the last run left; after the jobs were taken up */
  start(): Promise<void>
  stop(): Promise<void>
  /** the running batch of the same key where there is one */
  retranscribe(which: CaptureSelection, asked: Retranscription): Promise<Batch>
  /** what `retranscribe` would do */
  plan(which: CaptureSelection, asked: Retranscription): Promise<BatchPlan>
  /** deletes for good */
  remove(which: CaptureSelection): Promise<Batch>
  get(id: string): Promise<BatchDetail | null>
  /** newest first */
  list(page: { limit: number; offset: number }): Promise<{ items: Batch[]; total: number }>
  /** what is still to be done is not done; false where it has ended already or is unknown */
  cancel(id: string): Promise<boolean>
}

const SAMPLED_ERRORS = 20
const REMEMBERED_MS = 30 * 24 * 3_600_000

export function createBatches(given: Omit<BatchDeps, 'turn'>): Batches {
  const deps: BatchDeps = { ...given, turn: createKeyedLock() }
  const { database, clock } = deps
  const loops = { retranscribe: createBatchFeeder(deps), delete: createBatchRemoval(deps) }

  async function begin(
    kind: BatchKind,
    which: CaptureSelection,
    asked: Retranscription | null,
  ): Promise<Batch> {
    const row = newRow(kind, asked, clock())
    const batch = await database.transaction(async (tx) => {
      await write(tx, row, which)
      await endBatchIfDone(tx, row.id, clock())
      return (await withCounts(tx, [(await findBatch(tx, row.id))!]))[0]!
    })
    loops[kind].wake()
    return batch
  }

  async function running(key: string | null): Promise<Batch | null> {
    if (key === null) return null
    const rows = await database.run((orm) => runningBatches(orm, 'retranscribe'))
    const row = rows.find((one) => retranscriptionOf(one)?.key === key)
    return row === undefined ? null : (await database.run((orm) => withCounts(orm, [row])))[0]!
  }

  return {
    async start() {
      const forgotten = new Date(clock().getTime() - REMEMBERED_MS)
      await database.run((orm) => forgetBatches(orm, forgotten))
      await moveOldBatches(deps)
      for (const loop of Object.values(loops)) loop.start()
    },
    async stop() {
      await Promise.all(Object.values(loops).map((loop) => loop.stop()))
    },
    retranscribe: (which, asked) =>
      // Two that ask at once with one key get one batch.
      deps.turn(
        `key ${asked.key}`,
        async () => (await running(asked.key)) ?? begin('retranscribe', which, asked),
      ),
    remove: (which) => begin('delete', which, null),
    plan: (which, asked) =>
      database.transaction(async (tx) => {
        const row = newRow('retranscribe', asked, clock())
        await write(tx, row, which)
        const { total, counts } = (await withCounts(tx, [row]))[0]!
        const estimate = await estimateBatch(tx, row.id, asked.model)
        // It was only looked at: nobody outside of this transaction has seen it.
        await deleteBatch(tx, row.id)
        return { total, toDo: counts.waiting, skipped: counts.skipped, ...estimate }
      }),
    async get(id) {
      if (!isId(id)) return null
      const row = await database.run((orm) => findBatch(orm, id))
      return row && database.run((orm) => detailOf(orm, row))
    },
    async list(page) {
      const { rows, total } = await database.run((orm) => listBatches(orm, page))
      return { items: await database.run((orm) => withCounts(orm, rows)), total }
    },
    cancel: (id) => deps.turn(id, async () => isId(id) && cancelBatch(deps, id)),
  }
}

const newRow = (kind: BatchKind, asked: Retranscription | null, now: Date): BatchRow => ({
  id: newId(now),
  kind,
  state: 'running',
  request: { ...asked },
  createdAt: now,
  finishedAt: null,
})

/** The batch and its items; those that need nothing or cannot be done are skipped from the beginning. */
async function write(tx: Orm, row: BatchRow, which: CaptureSelection): Promise<void> {
  await insertBatch(tx, row)
  const batchId = row.id
  if ('meant' in which) await insertItemsMeant(tx, batchId, captureConditions(which.meant))
  else {
    const captureIds = which.ids.map((id) => id.toLowerCase())
    await insertItems(tx, { batchId, captureIds, missing: CAPTURE_GONE })
  }
  const asked = retranscriptionOf(row)
  if (asked === null) return
  await skipWhere(tx, { batchId, such: 'trashed', error: IN_TRASH })
  await skipWhere(tx, { batchId, such: 'without_audio', error: AUDIO_GONE })
  const { model, language, skipIfSameModel } = asked
  if (skipIfSameModel)
    await skipWhere(tx, { batchId, such: { transcribedBy: model, language }, error: SAME_MODEL })
}

/** The casts are what this program itself has written. */
const retranscriptionOf = (row: BatchRow): Retranscription | null =>
  row.kind === 'retranscribe' ? (row.request as Retranscription) : null

async function withCounts(orm: Orm, rows: BatchRow[]): Promise<Batch[]> {
  const found = await countItems(
    orm,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const own = found.filter(({ batchId }) => batchId === row.id)
    const countOf = (state: string) => own.find((one) => one.state === state)?.count ?? 0
    return {
      id: row.id,
      kind: row.kind,
      state: row.state,
      retranscription: retranscriptionOf(row),
      total: own.reduce((sum, one) => sum + one.count, 0),
      counts: Object.fromEntries(ITEM_STATES.map((state) => [state, countOf(state)])) as Batch['counts'],
      createdAt: row.createdAt,
      finishedAt: row.finishedAt,
    }
  })
}

async function detailOf(orm: Orm, row: BatchRow): Promise<BatchDetail> {
  const batch = (await withCounts(orm, [row]))[0]!
  const sample = await sampleErrors(orm, { batchId: row.id, except: SAME_MODEL.code, limit: SAMPLED_ERRORS })
  const isRunning = row.state === 'running' && batch.retranscription !== null
  const estimate = isRunning ? await estimateBatch(orm, row.id, batch.retranscription!.model) : null
  return {
    ...batch,
    estimateSeconds: estimate?.estimateSeconds ?? null,
    errors: sample.map(({ captureId, error }) => ({ captureId, ...error! })),
  }
}
