// Deletes the captures of batches for good, one after the other.
// Each is deleted as by itself (captures/remove-capture.ts); a restart goes on where it was.

import { changeItems, runningBatches, waitingItems } from '../../db/batches.ts'
import type { BatchRow } from '../../db/schema.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import { type BatchDeps, endIfDone } from './batch-feeder.ts'
import { createWakeLoop, type WakeLoop } from './wake-loop.ts'

/** Said of in one statement; few enough that a cancellation finds most of a large batch still there. */
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

/** False when nothing is left to be done. */
async function removeSome(deps: BatchDeps, { id }: BatchRow): Promise<boolean> {
  const { database } = deps
  const captureIds = await database.run((orm) =>
    waitingItems(orm, { batchId: id, after: null, limit: CHUNK }),
  )
  const removed: string[] = []
  for (const captureId of captureIds) if (await removeOne(deps, id, captureId)) removed.push(captureId)
  await database.run((orm) => changeItems(orm, { batchId: id, captureIds: removed, state: 'completed' }))
  await endIfDone(deps, id)
  return captureIds.length > 0
}

/** One that is gone already is as it should be. False when it could not be done, which its item then says. */
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
