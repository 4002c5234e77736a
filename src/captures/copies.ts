// Writes a copy of each changed capture beside its audio, after the commit: a JSON record that people can read.
// `copied_revision` marks what is still to be written, so that a crash loses no copy.

import { existsSync } from 'node:fs'
import { listVersions } from '../../db/capture-versions.ts'
import { findCapture, noteCopied, uncopiedCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { JobRow } from '../../db/schema.ts'
import { removeDurably } from '../lib/durable.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { NO_ID } from '../lib/uuid.ts'
import { segmentsPathOf } from './capture-files.ts'
import { type CaptureRecord, type PromisedJob, requestOf, writeRecord } from './record.ts'
import { SLOTS } from './record-schema.ts'

export type Copies = {
  /** call it after the commit of a change */
  wake(): void
  /** writes the remaining copies as far as the stop deadline allows, then stops */
  stop(): Promise<void>
}

type Deps = { database: Database; dataFolder: string; lock: KeyedLock; log: Log }

/** A capture that changes twice within this time, as a new one does, is copied once. */
const PAUSE_MS = 1000
/** Pause after a failure: the disk may be full, or the database unreachable. */
const RETRY_MS = 10_000
const PAGE = 50
/** The next start writes the copies that a stop leaves. */
const STOP_WITHIN_MS = 2000

export function createCopies(deps: Deps): Copies {
  const { log } = deps
  let timer: Timer | undefined
  let copying: Promise<void> = Promise.resolve()
  let isStopping = false
  let stopsAt = Infinity

  const copy = async (): Promise<void> => {
    timer = undefined
    try {
      await copyAll(deps, () => performance.now() > stopsAt)
    } catch (error) {
      log.warn({ reason: String(error) }, 'the copies beside the recordings could not be written yet')
      if (!isStopping) schedule(RETRY_MS)
    }
  }

  const schedule = (ms: number): void => {
    timer ??= setTimeout(() => {
      copying = copying.then(copy)
    }, ms)
  }

  return {
    wake: () => {
      if (!isStopping) schedule(PAUSE_MS)
    },
    async stop() {
      const isLeft = timer !== undefined
      clearTimeout(timer)
      if (isLeft) copying = copying.then(copy)
      isStopping = true
      stopsAt = performance.now() + STOP_WITHIN_MS
      await copying
    },
  }
}

/** Writes as many copies as possible. @throws the first error */
async function copyAll(deps: Deps, isOver: () => boolean): Promise<void> {
  let failure: unknown = null
  for (let after = NO_ID; ; ) {
    const ids = await deps.database.run((orm) => uncopiedCaptures(orm, { after, limit: PAGE }))
    for (const id of ids) {
      if (isOver()) return
      await deps
        .lock(id, () => copyOne(deps, id))
        .catch((error: unknown) => {
          failure ??= error
        })
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < PAGE) break
    after = last
  }
  if (failure !== null) throw failure
}

/** In the capture's turn, so that no deleted capture is copied and no change is missed. */
async function copyOne({ database, dataFolder }: Deps, id: string): Promise<void> {
  const record = await recordOf(database, id)
  if (record === null) return
  await writeRecord(dataFolder, record)
  // Earlier versions wrote parts of the record to these files.
  for (const path of SLOTS.map((slot) => segmentsPathOf(dataFolder, id, slot)))
    if (existsSync(path)) await removeDurably(path)
  await database.run((orm) => noteCopied(orm, { id, revision: record.capture.revision }))
}

/** The current copy of a capture; null if there is no such capture. */
export async function recordOf(database: Database, id: string): Promise<CaptureRecord | null> {
  const found = await database.run((orm) => findCapture(orm, id))
  if (found === null) return null
  const versions = await database.run((orm) => listVersions(orm, id))
  const { shelved, copiedRevision: _copied, ...capture } = found.capture
  return {
    state: 'kept',
    capture: { ...capture, segments: found.segments },
    versions: versions.map(({ captureId: _its, bytes: _counted, ...version }) => version),
    promised: found.job && promisedOf(found.job),
    shelved,
  }
}

export const promisedOf = ({ id, batchId, createdAt, ...job }: JobRow): PromisedJob => ({
  ...requestOf(job),
  jobId: id,
  batchId,
  createdAt,
})
