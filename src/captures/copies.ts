// Writes a copy of each changed capture beside its audio, after the commit: a JSON record that people can read.
// `copied_revision` marks what is still to be written, so that a crash loses no copy. `verify` compares both.

import { listVersions } from '../../db/capture-versions.ts'
import {
  findCapture,
  findDeleted,
  knownCaptures,
  noteCopied,
  uncopiedCaptures,
  unerasedCaptures,
} from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { JobRow } from '../../db/schema.ts'
import type { KeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/os-errors.ts'
import { NO_ID } from '../lib/uuid.ts'
import type { Store } from '../store/store.ts'
import type { Capture } from './capture.ts'
import { listCaptureFiles, segmentsPathOf } from './capture-files.ts'
import { eraseFiles } from './erase-files.ts'
import {
  type CaptureRecord,
  type RecordedJob,
  type RecordRead,
  readRecord,
  requestOf,
  SLOTS,
  writeRecord,
} from './record.ts'

export type Copies = {
  /** call it after the commit of a change, and, with a shared store, of a deletion */
  wake(): void
  /** writes the remaining copies as far as the stop deadline allows, then stops */
  stop(): Promise<void>
}

type Deps = { database: Database; store: Store; lock: KeyedLock; log: Log }

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
      await eraseAll(deps)
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
async function copyOne({ database, store }: Deps, id: string): Promise<void> {
  const record = await recordOf(database, id)
  if (record === null) return
  await writeRecord(store, record)
  // Earlier versions, which had no shared store, wrote parts of the record to these files.
  if (store.address === null) for (const slot of SLOTS) await store.remove(segmentsPathOf(id, slot))
  const { revision, audioPath } = record.capture
  if (await database.run((orm) => noteCopied(orm, { id, revision }))) return
  // Another server has deleted it meanwhile, and the copy may have replaced the tombstone.
  const remains = await database.run((orm) => findDeleted(orm, id))
  if (remains !== null) await eraseFiles({ database, store }, { ...remains, audioPath })
}

/** Erases what deleted captures left in a shared store. */
async function eraseAll({ database, store, lock }: Deps): Promise<void> {
  if (store.address === null) return
  for (const remains of await database.run(unerasedCaptures))
    await lock(remains.id, () => eraseFiles({ database, store }, remains))
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
    promised: found.job && recordedJobOf(found.job),
    shelved,
  }
}

export const recordedJobOf = ({ id, batchId, createdAt, ...job }: JobRow): RecordedJob => ({
  ...requestOf(job),
  jobId: id,
  batchId,
  createdAt,
})

type VerifyDeps = { database: Database; store: Store }

/** `what` names the difference. */
export type Difference = { id: string; what: string }
export type Verified = { captures: number; differences: Difference[] }

const ALL = 2 ** 31 - 1

export async function verifyCaptures({ database, store }: VerifyDeps): Promise<Verified> {
  const differences: Difference[] = []
  const { records, audio } = await listCaptureFiles(store)
  const { withAudio, withoutAudio, deleted } = await database.run(knownCaptures)
  // The next start writes these.
  const behind = new Set(await database.run((orm) => uncopiedCaptures(orm, { after: NO_ID, limit: ALL })))
  const kept = [...withAudio, ...withoutAudio].sort()
  for (const id of kept) {
    const note = (what: string) => differences.push({ id, what })
    const record = await recordOf(database, id)
    if (record === null) continue
    const fault = behind.has(id) ? null : faultOfCopy(record, await readRecord(store, id))
    if (fault !== null) note(fault)
    for (const what of await faultsOfAudio(store, record.capture, audio.has(id))) note(what)
  }
  const known = new Set([...kept, ...deleted])
  for (const id of deleted)
    if (audio.has(id)) differences.push({ id, what: 'it was deleted, and its audio is still there' })
  for (const id of new Set([...audio.keys(), ...records]))
    if (!known.has(id)) differences.push({ id, what: 'the database does not have it' })
  return { captures: kept.length, differences }
}

function faultOfCopy(record: CaptureRecord, copy: RecordRead): string | null {
  if (copy === null) return 'it has no copy beside its audio'
  if (copy === 'unreadable') return 'the copy beside its audio cannot be read'
  if (copy.state === 'deleted') return 'the copy beside its audio says that it was deleted'
  return Bun.deepEquals(comparable(record), comparable(copy)) ? null : 'the copy beside its audio differs'
}

/** The state of its jobs is only in the database. */
const comparable = ({ capture, versions, shelved }: CaptureRecord): unknown =>
  JSON.parse(
    JSON.stringify({
      versions: versions.map(({ byHand = false, replacedByHand = false, ...version }) => ({
        ...version,
        byHand,
        replacedByHand,
      })),
      shelved,
      capture: { ...capture, status: isUnderWay(capture) ? 'pending' : capture.status },
    }),
  )

const isUnderWay = ({ status }: Capture): boolean => status === 'transcribing' || status === 'refining'

async function faultsOfAudio(
  store: Store,
  { audioAvailable, audioPath, audioSha256 }: Capture,
  isThere: boolean,
): Promise<string[]> {
  const faults = isThere && !audioAvailable ? ['its audio file exists but is recorded as missing'] : []
  if (!isThere && !audioAvailable) return faults
  try {
    const sha256 = await store.hash(audioPath)
    return sha256 === audioSha256 ? faults : [...faults, 'its audio is not what was received']
  } catch (error) {
    if (isMissing(error)) return ['its audio is missing']
    throw error
  }
}
