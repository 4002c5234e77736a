// Puts a new capture into the index and its first job into the queue, now or as soon as the database is back.
// Its audio and record are durable by then (create-capture.ts), so that nothing depends on how this ends.

import { findCapture, saveCapture } from '../../db/captures.ts'
import type { JobRow } from '../../db/schema.ts'
import { withBallast } from '../lib/ballast.ts'
import type { Log } from '../lib/log.ts'
import { persist } from '../lib/persist.ts'
import type { Capture } from './capture.ts'
import { tellJob } from './capture-events.ts'
import type { Archive } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import { toRow } from './index-row.ts'
import { readRecord } from './record.ts'

type Deps = Archive & { delivery: Delivery; log: Log }
type Newborn = { capture: Capture; job: JobRow }

/**
 * Call it while holding the capture's lock. May use the ballast. Returns false if the database failed; it then retries in
 * the background.
 */
export async function enqueueFirst(deps: Deps, newborn: Newborn): Promise<boolean> {
  try {
    await withBallast(deps.dataFolder, () => enqueue(deps, newborn))
    return true
  } catch (error) {
    logFailure(deps.log, newborn, error)
    void persist(() => enqueueLate(deps, newborn), {
      until: deps.delivery.closing,
      isRetry: true,
      onFailure: (again) => logFailure(deps.log, newborn, again),
    })
    return false
  }
}

async function enqueue(deps: Deps, { capture, job }: Newborn): Promise<void> {
  const { database, delivery, publish } = deps
  await database.transaction(async (tx) => {
    await saveCapture(tx, toRow(capture), { job })
    await delivery.send(tx, [job])
  })
  publish({ name: 'capture.created', captureId: capture.id, status: capture.status })
  tellJob(deps, job, 'waiting')
  delivery.wake()
}

async function enqueueLate(deps: Deps, newborn: Newborn): Promise<void> {
  const { capture } = newborn
  await deps.lock(capture.id, async () => {
    // The connection may have broken after the commit, and the capture may be finished or deleted since.
    if ((await deps.database.run((orm) => findCapture(orm, capture.id))) !== null) return deps.delivery.wake()
    const record = await readRecord(deps.dataFolder, capture.id, 'without segments')
    if (record === null || record === 'unreadable' || record.state === 'deleted') return
    await enqueue(deps, newborn)
    deps.log.info({ captureId: capture.id }, 'a kept recording is queued, now that the database answers')
  })
}

function logFailure(log: Log, { capture }: Newborn, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  log.error({ captureId: capture.id, reason }, 'a recording is kept, but cannot be queued yet')
}
