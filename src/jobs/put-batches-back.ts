// At the start: what was promised of batches and what the database remembers of them are made to agree.
// The embedded database may have lost its last seconds in a power cut, or all; their files (batch-files.ts) have not.

import {
  cancelItems,
  deleteBatch,
  endBatch,
  endBatchIfDone,
  findBatch,
  itemIds,
  queuedItems,
  runningBatches,
} from '../../db/batches.ts'
import type { Orm } from '../../db/database.ts'
import type { BatchRow } from '../../db/schema.ts'
import type { CaptureSelection } from '../captures/which-captures.ts'
import { BATCH_KINDS } from './batch.ts'
import type { BatchDeps } from './batch-feeder.ts'
import type { KeptBatch } from './batch-files.ts'

type How = {
  /** what was made before is not remembered any more */
  forgotten: Date
  /** the batch and its items, as when it is begun */
  write(tx: Orm, row: BatchRow, which: CaptureSelection): Promise<void>
}

/** What a batch has done already its captures know (`lastBatchId`), so that it is not done again. */
export async function putBatchesBack(deps: BatchDeps, { forgotten, write }: How): Promise<void> {
  const { database, files, clock, log } = deps
  for (const kept of await files.read()) {
    const { id, state } = kept
    const known = await database.run((orm) => findBatch(orm, id))
    if (state === 'canceled') {
      if (known?.state === 'running') await cancelBatch(deps, id)
      if (kept.createdAt < forgotten) await files.remove(id)
    } else if (known !== null && known.state !== 'running') await files.remove(id)
    else if (
      known === null ||
      (await database.run((orm) => itemIds(orm, id))).length < kept.captureIds.length
    ) {
      await database.transaction(async (tx) => {
        // A page of zeros is one without rows to Postgres: the batch stands there, and not what it is to do.
        await deleteBatch(tx, id)
        await write(tx, rowOf(kept), { ids: kept.captureIds })
        await endBatchIfDone(tx, id, clock())
      })
      log.info({ batchId: id }, 'a batch that the database had forgotten is put back')
    }
  }
  await endThoseOver(deps)
}

/** An older database takes for running what was over, and has no file any more. */
async function endThoseOver(deps: BatchDeps): Promise<void> {
  const { database, files, log } = deps
  for (const kind of BATCH_KINDS)
    for (const { id } of await database.run((orm) => runningBatches(orm, kind))) {
      if (files.has(id)) continue
      await cancelBatch(deps, id)
      log.info({ batchId: id }, 'a batch that was over is not taken up again')
    }
}

const rowOf = ({ id, kind, request, createdAt }: KeptBatch): BatchRow => ({
  id,
  kind,
  state: 'running',
  request,
  createdAt,
  finishedAt: null,
})

/** What is still to be done of it is not done; must be called in its turn, or before anybody works. */
export async function cancelBatch({ database, captures, clock }: BatchDeps, id: string): Promise<void> {
  const queued = await database.run((orm) => queuedItems(orm, id))
  await database.transaction(async (tx) => {
    await endBatch(tx, { id, state: 'canceled', now: clock() })
    await cancelItems(tx, id)
  })
  for (const { captureId, jobId } of queued) await captures.cancel(captureId, jobId ?? undefined)
}
