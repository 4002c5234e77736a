// Removes a capture for good, and keeps what the statistics need of it.
// The order makes it finishable after a crash: tombstone, audio, row (see recovery.ts).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buryCaptures, findCapture } from '../../db/captures.ts'
import { removeSetAside } from '../../db/set-aside.ts'
import { withBallast } from '../lib/ballast.ts'
import { removeDurably } from '../lib/durable.ts'
import { isId } from '../lib/uuid.ts'
import { stopJob } from './cancel-capture.ts'
import { peaksPathOf, unreadablePathOf } from './capture-files.ts'
import { type Archive, type Current, currentState } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import type { Happenings } from './happenings.ts'
import { toRemains } from './index-row.ts'
import { readRecord, type Tombstone, writeRecord } from './record.ts'

type Deps = Archive & { delivery: Delivery }

/**
 * False where there is no such capture, or `isMeant` does not want it as it is when its turn comes. A job on it is
 * cancelled first. Works on a full disk, too.
 */
export async function removeCapture(
  deps: Deps,
  id: string,
  isMeant: (current: Current) => boolean = () => true,
): Promise<boolean> {
  if (!isId(id)) return false
  return deps.lock(id, () =>
    withBallast(deps.dataFolder, async () => {
      const tombstone = (await unfinishedRemoval(deps, id)) ?? (await bury(deps, id, isMeant))
      if (tombstone === null) return false
      await finishRemovals(deps, [tombstone], deps.announcing)
      deps.publish({ name: 'capture.deleted', captureId: id, status: null })
      return true
    }),
  )
}

/** An earlier removal that failed after its tombstone; whoever asks again has it finished. */
async function unfinishedRemoval({ database, dataFolder }: Deps, id: string): Promise<Tombstone | null> {
  const record = await readRecord(dataFolder, id)
  if (record === null || record === 'unreadable' || record.state === 'kept') return null
  return (await database.run((orm) => findCapture(orm, id))) === null ? null : record
}

async function bury(
  deps: Deps,
  id: string,
  isMeant: (current: Current) => boolean,
): Promise<Tombstone | null> {
  const current = await currentState(deps, id)
  if (current === null || !isMeant(current)) return null
  const { capture, job } = current
  if (job !== null) await stopJob(deps, job, null)
  // Before the tombstone, so that no crash leaves its text in there.
  await removeSetAside(deps.dataFolder)
  const remains = toRemains(capture, deps.clock())
  const tombstone: Tombstone = { state: 'deleted', remains, audioPath: capture.audioPath }
  await writeRecord(deps.dataFolder, tombstone)
  return tombstone
}

/** What follows the tombstones; may be done again. With `announcing` it is told outside. */
export async function finishRemovals(
  { database, dataFolder }: Pick<Archive, 'database' | 'dataFolder'>,
  tombstones: Tombstone[],
  announcing?: Happenings['announcing'],
): Promise<void> {
  for (const { audioPath, remains } of tombstones) {
    const beside = [peaksPathOf, unreadablePathOf].map((pathOf) => pathOf(dataFolder, remains.id))
    for (const path of [join(dataFolder, audioPath), ...beside])
      if (existsSync(path)) await removeDurably(path)
  }
  await database.transaction(async (tx) => {
    await buryCaptures(
      tx,
      tombstones.map(({ remains }) => remains),
    )
    for (const { remains } of tombstones)
      await announcing?.({ event: 'capture.deleted', captureId: remains.id })?.(tx)
  })
}
