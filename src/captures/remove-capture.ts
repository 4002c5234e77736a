// Removes captures for good, and keeps what the statistics need of them; or removes the audio alone.
// The rows go first, in one transaction; what a crash leaves of the files the next start erases (recovery.ts).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buryCaptures, findDeleted, noteErased } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { DeletedCaptureRow } from '../../db/schema.ts'
import { removeSetAside } from '../../db/set-aside.ts'
import { withDiskReserve } from '../lib/disk-reserve.ts'
import { removeDurably } from '../lib/durable.ts'
import { isId } from '../lib/uuid.ts'
import { tellJob } from './capture-events.ts'
import { peaksPathOf, segmentsPathOf, unreadablePathOf, unreadableSegmentsPathOf } from './capture-files.ts'
import { type Archive, type Current, changeCapture, currentState } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import { toRemains } from './index-row.ts'
import { writeRecord } from './record.ts'
import { SLOTS } from './record-schema.ts'

type Deps = Archive & { delivery: Delivery }

type IsMeant = (current: Current) => boolean

/**
 * False where there is no such capture, or `isMeant` does not want it as it is when its turn comes. A job on it is
 * cancelled. Works on a full disk, too.
 * @throws where the disk fails. The capture is gone by then; a file that could not be erased is erased when the same is
 * asked for again, or at the next start.
 */
export async function removeCapture(deps: Deps, id: string, isMeant: IsMeant = () => true): Promise<boolean> {
  if (!isId(id)) return false
  return deps.lock(id, () => withDiskReserve(deps.dataFolder, () => removeInTurn(deps, id, isMeant)))
}

async function removeInTurn(deps: Deps, id: string, isMeant: IsMeant): Promise<boolean> {
  const { database, dataFolder, delivery } = deps
  const current = await currentState(deps, id)
  if (current === null) {
    const deleted = await database.run((orm) => findDeleted(orm, id))
    if (deleted === null || deleted.audioPath === null) return false
    await eraseFiles(deps, deleted)
    return true
  }
  if (!isMeant(current)) return false
  // First, so that no crash leaves its text in there.
  await removeSetAside(dataFolder)
  const { capture, job } = current
  const remains = toRemains(capture, deps.clock())
  const announce = deps.announcing({ event: 'capture.deleted', captureId: id })
  await database.transaction(async (tx) => {
    // The job's own row goes with that of its capture.
    if (job !== null) await delivery.withdraw(tx, job.id)
    await buryCaptures(tx, [remains])
    await announce?.(tx)
  })
  if (job !== null) {
    tellJob(deps, job, 'canceled')
    delivery.ended(job.id, null)
  }
  deps.publish({ name: 'capture.deleted', captureId: id, status: null })
  await eraseFiles(deps, remains)
  return true
}

/**
 * Erases the files of a deleted capture; what remains of it takes the place of its copy, so that a rebuild does not
 * bring it back. @throws the first reason why a file could not be erased, when the others are
 */
export async function eraseFiles(
  { database, dataFolder }: { database: Database; dataFolder: string },
  { audioPath, ...remains }: DeletedCaptureRow,
): Promise<void> {
  if (audioPath === null) return
  const { id } = remains
  await writeRecord(dataFolder, { state: 'deleted', remains, audioPath })
  const paths = [
    join(dataFolder, audioPath),
    peaksPathOf(dataFolder, id),
    unreadablePathOf(dataFolder, id),
    ...[segmentsPathOf, unreadableSegmentsPathOf].flatMap((pathOf) =>
      SLOTS.map((slot) => pathOf(dataFolder, id, slot)),
    ),
  ]
  const failures: unknown[] = []
  for (const path of paths)
    if (existsSync(path)) await removeDurably(path).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  await database.run((orm) => noteErased(orm, id))
}

/**
 * Removes the audio for good; the text stays. False as in `removeCapture`. The file goes first: a crash leaves a
 * capture whose audio is missing, which the next start notes.
 */
export async function removeAudio(archive: Archive, id: string, isMeant: IsMeant): Promise<boolean> {
  return archive.lock(id, () =>
    withDiskReserve(archive.dataFolder, async () => {
      const current = await currentState(archive, id)
      if (current === null || !isMeant(current)) return false
      await removeDurably(join(archive.dataFolder, current.capture.audioPath))
      await changeCapture(archive, { current, change: { audioAvailable: false } })
      return true
    }),
  )
}
