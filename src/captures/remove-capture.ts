// Removes a capture for good, and keeps what the statistics need of it.
// The order makes it finishable after a crash: tombstone, audio, row (see recovery.ts).

import { join } from 'node:path'
import { buryCaptures } from '../../db/captures.ts'
import { removeDurably } from '../lib/durable.ts'
import { stopJob } from './cancel-capture.ts'
import { type Archive, currentState } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import { toRemains } from './index-row.ts'
import { type Tombstone, writeRecord } from './record.ts'

/** False where there is no such capture. A job on it is cancelled first. */
export async function removeCapture(deps: Archive & { delivery: Delivery }, id: string): Promise<boolean> {
  return deps.lock(id, async () => {
    const current = await currentState(deps, id)
    if (current === null) return false
    const { capture, job } = current
    if (job !== null) await stopJob(deps, job)
    const tombstone: Tombstone = {
      state: 'deleted',
      remains: toRemains(capture, deps.clock()),
      audioPath: capture.audioPath,
    }
    await writeRecord(deps.dataFolder, tombstone)
    await finishRemoval(deps, tombstone)
    return true
  })
}

/** What follows the tombstone; may be done again. */
export async function finishRemoval(
  { database, dataFolder }: Pick<Archive, 'database' | 'dataFolder'>,
  { remains, audioPath }: Tombstone,
): Promise<void> {
  await removeDurably(join(dataFolder, audioPath))
  await database.transaction((tx) => buryCaptures(tx, [remains]))
}
