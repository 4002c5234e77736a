// Deletes the captures of batches for good, one after the other, each by captures/remove-capture.ts.
// Its state is in the database, so a restart resumes the work.

import { changeItems, endBatchIfDone, itemsToDo, runningBatches } from '../../db/batches.ts'
import type { BatchRow } from '../../db/schema.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import type { BatchDeps } from './batch-feeder.ts'
import { createWakeLoop, type WakeLoop } from './wake-loop.ts'

/** One statement ends so many items; few enough that a cancellation spares most of a large batch. */
const CHUNK = 20

export function createBatchRemoval(deps: BatchDeps): WakeLoop {
  const { database, queue, turn } = deps
  return createWakeLoop(
    async () => {
      for (const batch of await database.run((orm) => runningBatches(orm, 'delete')))
        while (!queue.closing.aborted && (await turn(batch.id, () => removeSome(deps, batch))));
      return false
    },
    { log: deps.log, what: 'delete' },
  )
}

/** False when nothing was left to do. */
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

/** True also for a capture that was deleted before. Where a removal fails, its item says why. */
async function removeOne(
  { database, captures, log }: BatchDeps,
  batchId: string,
  captureId: string,
): Promise<boolean> {
  try {
    await captures.remove(captureId)
    return true
  } catch (error) {
    if (error instanceof DatabaseAwayError) throw error
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
