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
import type { CaptureEvents } from './capture-events.ts'
import { peaksPathOf, segmentsPathOf, unreadablePathOf, unreadableSegmentsPathOf } from './capture-files.ts'
import { type Archive, type Current, stateOf } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import { toRemains } from './index-row.ts'
import { isTombstone, readRecord, type Tombstone, writeRecord } from './record.ts'
import { SLOTS } from './segments-apart.ts'

type Deps = Archive & { delivery: Delivery }

/**
 * False where there is no such capture, or `isMeant` does not want it as it is when its turn comes. A job on it is
 * cancelled first. Works on a full disk, too.
 * @throws where the disk fails: as soon as the tombstone has its name the capture is gone for everybody who looks, and
 * what could not be written or erased is so when it is asked for again, or at the next start.
 */
export async function removeCapture(
  deps: Deps,
  id: string,
  isMeant: (current: Current) => boolean = () => true,
): Promise<boolean> {
  if (!isId(id)) return false
  return deps.lock(id, () => {
    let tombstone: Tombstone | null = null
    return withBallast(deps.dataFolder, async () => {
      // What is tried again once there is room is the same removal.
      tombstone ??= await removalOf(deps, id, isMeant)
      if (tombstone === null) return false
      await carryOut(deps, tombstone)
      return true
    })
  })
}

async function carryOut(deps: Deps, tombstone: Tombstone): Promise<void> {
  try {
    // An unfinished one may have its name alone, and not be synced.
    await writeRecord(deps.dataFolder, tombstone)
  } catch (error) {
    if (isTombstone(await readRecord(deps.dataFolder, tombstone.remains.id)))
      await buryAndTell(deps, tombstone)
    throw error
  }
  const failure = await eraseFiles(deps.dataFolder, [tombstone])
  await buryAndTell(deps, tombstone)
  if (failure !== null) throw failure
}

/** Null where there is nothing to remove. */
async function removalOf(
  deps: Deps,
  id: string,
  isMeant: (current: Current) => boolean,
): Promise<Tombstone | null> {
  // A removal needs none of its segments, which may be what the disk cannot read.
  const record = await readRecord(deps.dataFolder, id, 'without segments')
  // An earlier removal failed after its tombstone; whoever asks again has it finished.
  if (isTombstone(record)) return (await isUnfinished(deps, record)) ? record : null
  const current = await stateOf(deps, id, record)
  if (current === null || !isMeant(current)) return null
  const { capture, job } = current
  if (job !== null) await stopJob(deps, job, null)
  // Before the tombstone, so that no crash leaves its text in there.
  await removeSetAside(deps.dataFolder)
  return { state: 'deleted', remains: toRemains(capture, deps.clock()), audioPath: capture.audioPath }
}

const isUnfinished = async ({ database, dataFolder }: Deps, tombstone: Tombstone): Promise<boolean> =>
  filesOf(dataFolder, tombstone).some((path) => existsSync(path)) ||
  (await database.run((orm) => findCapture(orm, tombstone.remains.id))) !== null

/** Takes it out of the index. Told once, however often the rest of a removal has to be tried. */
async function buryAndTell(deps: Deps, tombstone: Tombstone): Promise<void> {
  const { id } = tombstone.remains
  const isNews = (await deps.database.run((orm) => findCapture(orm, id))) !== null
  await buryRows(deps, [tombstone], isNews ? deps.announcing : undefined)
  if (isNews) deps.publish({ name: 'capture.deleted', captureId: id, status: null })
}

/** What follows the tombstones; may be done again. @returns the first reason why a file could not be erased */
export async function finishRemovals(
  { database, dataFolder }: Pick<Archive, 'database' | 'dataFolder'>,
  tombstones: Tombstone[],
): Promise<Error | null> {
  const failure = await eraseFiles(dataFolder, tombstones)
  await buryRows({ database }, tombstones)
  return failure
}

const filesOf = (dataFolder: string, { audioPath, remains }: Tombstone): string[] => [
  join(dataFolder, audioPath),
  ...[peaksPathOf, unreadablePathOf].map((pathOf) => pathOf(dataFolder, remains.id)),
  ...[segmentsPathOf, unreadableSegmentsPathOf].flatMap((pathOf) =>
    SLOTS.map((slot) => pathOf(dataFolder, remains.id, slot)),
  ),
]

/** As many as can be. @returns the first reason why one could not */
async function eraseFiles(dataFolder: string, tombstones: Tombstone[]): Promise<Error | null> {
  const failures: unknown[] = []
  for (const path of tombstones.flatMap((tombstone) => filesOf(dataFolder, tombstone)))
    if (existsSync(path)) await removeDurably(path).catch((error: unknown) => failures.push(error))
  const [first] = failures
  return first === undefined || first instanceof Error ? (first ?? null) : new Error(String(first))
}

async function buryRows(
  { database }: Pick<Archive, 'database'>,
  tombstones: Tombstone[],
  announcing?: CaptureEvents['announcing'],
): Promise<void> {
  await database.transaction(async (tx) => {
    await buryCaptures(
      tx,
      tombstones.map(({ remains }) => remains),
    )
    for (const { remains } of tombstones)
      await announcing?.({ event: 'capture.deleted', captureId: remains.id })?.(tx)
  })
}
