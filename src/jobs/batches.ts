// Batches for clients: request one, read its progress and estimate, cancel the rest of it; moves those of earlier
// versions into the database. The work is batch-work.ts.

import { existsSync } from 'node:fs'
import { readdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { measuredSpeed, remainingAudioMs, type Speed, speedOfBatch } from '../../db/batch-speed.ts'
import {
  changeItems,
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
  settleItems,
  skipWhere,
} from '../../db/batches.ts'
import type { Orm } from '../../db/database.ts'
import { type BatchItemRow, type BatchRow, batches, batchItems } from '../../db/schema.ts'
import { type CaptureSelection, captureConditions } from '../captures/capture-index.ts'
import { readRecord } from '../captures/record.ts'
import { DatabaseUnavailableError } from '../lib/database-errors.ts'
import { removeDurably, sweepUnfinished } from '../lib/durable.ts'
import { oneOf } from '../lib/schema.ts'
import { jsonMoment } from '../lib/schema-mapping.ts'
import { isId, newId } from '../lib/uuid.ts'
import { createDataFolderStore } from '../store/data-folder.ts'
import {
  AUDIO_GONE,
  type BatchDeps,
  CAPTURE_GONE,
  cancelBatch,
  createBatchFeeder,
  createBatchRemoval,
  IN_TRASH,
  IN_TURN,
  type Retranscription,
  SAME_MODEL,
} from './batch-work.ts'

const OldBatch = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  kind: oneOf(batches.kind.enumValues),
  state: oneOf(['running', 'canceled']),
  request: Type.Record(Type.String(), Type.Unknown()),
  createdAt: jsonMoment(),
  captureIds: Type.Array(Type.String()),
})
type OldBatch = Static<typeof OldBatch>

const FOLDER = 'batches'
const EXTENSION = '.json'

/** Call it before any batch is worked on. */
async function moveOldBatches(deps: BatchDeps): Promise<void> {
  const folder = join(deps.dataFolder, FOLDER)
  if (!existsSync(folder)) return
  sweepUnfinished(folder, { shared: false })
  const isOldBatch = TypeCompiler.Compile(OldBatch)
  for (const name of (await readdir(folder)).toSorted()) {
    const id = name.slice(0, -EXTENSION.length)
    if (!name.endsWith(EXTENSION) || !isId(id)) continue
    const path = join(folder, name)
    const old = parsed(await readFile(path, 'utf8'))
    if (isOldBatch.Check(old) && old.id === id && old.captureIds.every(isId)) {
      await moveOne(deps, old)
      await removeDurably(path)
    } else
      deps.log.error(
        { batchId: id, path },
        'could not resume a batch: its file is invalid and was left unchanged',
      )
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder)
}

async function moveOne(deps: BatchDeps, old: OldBatch): Promise<void> {
  const { database, dataFolder, clock, log } = deps
  const { id } = old
  if (old.state === 'canceled') {
    await cancelBatch(deps, id)
    return
  }
  const done = await doneIn(dataFolder, old)
  await database.transaction(async (tx) => {
    const row = await findBatch(tx, id)
    if (row !== null && row.state !== 'running') return
    if (row === null) await insertBatch(tx, rowOf(old))
    await insertItems(tx, { batchId: id, captureIds: old.captureIds, missing: CAPTURE_GONE })
    if (row === null) await changeItems(tx, { batchId: id, captureIds: done, state: 'completed' })
    await settleItems(tx, id)
    await endBatchIfDone(tx, id, clock())
  })
  log.info({ batchId: id }, 'moved the file of a batch into the database')
}

/** The captures whose records name this batch as done. */
async function doneIn(dataFolder: string, { id, captureIds }: OldBatch): Promise<string[]> {
  const store = createDataFolderStore(dataFolder)
  const records = await Promise.all(captureIds.map((captureId) => readRecord(store, captureId)))
  return captureIds.filter((_, index) => {
    const record = records[index]
    return record && record !== 'unreadable' && record.state === 'kept' && record.lastBatchId === id
  })
}

const rowOf = ({ id, kind, request, createdAt }: OldBatch): BatchRow => ({
  id,
  kind,
  state: 'running',
  request,
  createdAt: new Date(createdAt),
  finishedAt: null,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const BATCH_KINDS = batches.kind.enumValues
export type BatchKind = BatchRow['kind']
export const BATCH_STATES = batches.state.enumValues
const ITEM_STATES = batchItems.state.enumValues

export type Batch = {
  /** UUIDv7 */
  id: string
  kind: BatchKind
  state: BatchRow['state']
  /** null unless it transcribes */
  retranscription: Retranscription | null
  total: number
  /** captures by the state of their item */
  counts: Record<BatchItemRow['state'], number>
  createdAt: Date
  finishedAt: Date | null
}

export type BatchDetail = Batch & {
  /** seconds until it is done; null without a measured speed */
  estimateSeconds: number | null
  /** a sample of failed and skipped captures, with the reasons */
  errors: { captureId: string; code: string; message: string }[]
}

/** The effect of a retranscription, without running it. */
export type BatchPlan = {
  total: number
  toDo: number
  skipped: number
  /** of the captures in the batch; captures that were never decoded count as zero */
  audioSeconds: number
  /** seconds of work per second of audio; null if nothing was measured */
  realTimeFactor: number | null
  /** the model whose speed was measured */
  measuredWith: 'this_model' | 'other_models' | null
  estimateSeconds: number | null
}

export type Batches = {
  /** resumes running batches; call it after the jobs were resumed */
  start(): Promise<void>
  stop(): Promise<void>
  /** returns the running batch with the same key, if there is one */
  retranscribe(which: CaptureSelection, requested: Retranscription): Promise<Batch>
  /** what `retranscribe` would do */
  plan(which: CaptureSelection, requested: Retranscription): Promise<BatchPlan>
  /** deletes for good */
  remove(which: CaptureSelection): Promise<Batch>
  get(id: string): Promise<BatchDetail | null>
  /** newest first */
  list(page: { limit: number; offset: number }): Promise<{ items: Batch[]; total: number }>
  /** cancels the rest of it; false if it has ended or is unknown */
  cancel(id: string): Promise<boolean>
}

const SAMPLED_ERRORS = 20
const REMEMBERED_MS = 30 * 24 * 3_600_000

/** Longer than another server holds its turn. */
const TURN_WAIT_MS = 60_000
/** How often a server looks for batches of another one, which may have died. */
const LOOK_MS = 20_000

export function createBatches(deps: BatchDeps): Batches {
  const { database, queue, clock } = deps
  let timer: Timer | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = await database.exclusively(IN_TURN, async () => ({ result: await work() }), {
      waitMs: TURN_WAIT_MS,
    })
    if (done === null) throw new DatabaseUnavailableError('another server is busy with a batch')
    return done.result
  }
  const loops = { retranscribe: createBatchFeeder(deps), delete: createBatchRemoval(deps) }

  async function begin(
    kind: BatchKind,
    which: CaptureSelection,
    requested: Retranscription | null,
  ): Promise<Batch> {
    const row = newRow(kind, requested, clock())
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
      const wakeAll = () => Object.values(loops).forEach((loop) => void loop.wake())
      if (database.kind === 'external') timer = setInterval(wakeAll, LOOK_MS)
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(Object.values(loops).map((loop) => loop.stop()))
    },
    retranscribe: (which, requested) =>
      // Simultaneous requests with the same key get the same batch.
      inTurn(async () => (await running(requested.key)) ?? begin('retranscribe', which, requested)),
    remove: (which) => begin('delete', which, null),
    async plan(which, requested) {
      const { length: servers } = await queue.servers()
      return database.transaction(async (tx) => {
        const row = newRow('retranscribe', requested, clock())
        await write(tx, row, which)
        const { total, counts } = (await withCounts(tx, [row]))[0]!
        const estimate = await estimateBatch(tx, { batchId: row.id, model: requested.model, servers })
        await deleteBatch(tx, row.id)
        return { total, toDo: counts.waiting, skipped: counts.skipped, ...estimate }
      })
    },
    async get(id) {
      if (!isId(id)) return null
      const row = await database.run((orm) => findBatch(orm, id))
      if (row === null) return null
      const { length: servers } = await queue.servers()
      return database.run((orm) => detailOf(orm, row, servers))
    },
    async list(page) {
      const { rows, total } = await database.run((orm) => listBatches(orm, page))
      return { items: await database.run((orm) => withCounts(orm, rows)), total }
    },
    cancel: (id) => inTurn(async () => isId(id) && cancelBatch(deps, id)),
  }
}

const newRow = (kind: BatchKind, requested: Retranscription | null, now: Date): BatchRow => ({
  id: newId(now),
  kind,
  state: 'running',
  request: { ...requested },
  createdAt: now,
  finishedAt: null,
})

/** Inserts the batch and its items. Items that need no work or cannot be done start as skipped. */
async function write(tx: Orm, row: BatchRow, which: CaptureSelection): Promise<void> {
  await insertBatch(tx, row)
  const batchId = row.id
  if ('meant' in which) await insertItemsMeant(tx, batchId, captureConditions(which.meant))
  else {
    const captureIds = which.ids.map((id) => id.toLowerCase())
    await insertItems(tx, { batchId, captureIds, missing: CAPTURE_GONE })
  }
  const requested = retranscriptionOf(row)
  if (requested === null) return
  await skipWhere(tx, { batchId, such: 'trashed', error: IN_TRASH })
  await skipWhere(tx, { batchId, such: 'without_audio', error: AUDIO_GONE })
  const { model, language, skipIfSameModel } = requested
  if (skipIfSameModel)
    await skipWhere(tx, { batchId, such: { transcribedBy: model, language }, error: SAME_MODEL })
}

/** The cast is safe: only `newRow` and batches.ts write requests. */
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

async function detailOf(orm: Orm, row: BatchRow, servers: number): Promise<BatchDetail> {
  const batch = (await withCounts(orm, [row]))[0]!
  const sample = await sampleErrors(orm, { batchId: row.id, except: SAME_MODEL.code, limit: SAMPLED_ERRORS })
  const isRunning = row.state === 'running' && batch.retranscription !== null
  const { model } = batch.retranscription ?? { model: '' }
  const estimate = isRunning ? await estimateBatch(orm, { batchId: row.id, model, servers }) : null
  return {
    ...batch,
    estimateSeconds: estimate?.estimateSeconds ?? null,
    errors: sample.map(({ captureId, error }) => ({ captureId, ...error! })),
  }
}

type Estimate = Pick<BatchPlan, 'audioSeconds' | 'realTimeFactor' | 'measuredWith' | 'estimateSeconds'>

/** On all live servers. At the speed of this batch so far, else at the recent speed of its model, else at that of any other model. */
async function estimateBatch(
  orm: Orm,
  { batchId, model, servers }: { batchId: string; model: string; servers: number },
): Promise<Estimate> {
  const audioMs = await remainingAudioMs(orm, batchId)
  const own = (await speedOfBatch(orm, batchId)) ?? (await measuredSpeed(orm, model))
  const speed = own ?? (await measuredSpeed(orm, null))
  const realTimeFactor = speed && factorOf(speed)
  return {
    audioSeconds: audioMs / 1000,
    realTimeFactor,
    measuredWith: speed && (own ? 'this_model' : 'other_models'),
    estimateSeconds:
      realTimeFactor === null ? null : Math.ceil(((audioMs / 1000) * realTimeFactor) / Math.max(servers, 1)),
  }
}

const factorOf = ({ audioMs, workMs }: Speed): number => Math.round((workMs / audioMs) * 1000) / 1000
