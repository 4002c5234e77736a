// At the start: makes the index agree with the folder, which is the truth, and finishes what a crash cut off.
// Jobs are only written down here; src/jobs/resume.ts has them delivered.

import { join } from 'node:path'
import { capturesIndexedOtherwise, capturesWithoutFacts } from '../../db/capture-facts.ts'
import {
  audioPaths,
  capturesWithoutAudio,
  capturesWithoutJob,
  changeTimes,
  countIndexed,
  type IndexedCapture,
  markAudio,
  revisionsOf,
  saveCaptures,
} from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { insertJobs } from '../../db/jobs.ts'
import type { CaptureRow } from '../../db/schema.ts'
import { layBallast } from '../lib/ballast.ts'
import type { Clock } from '../lib/clock.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import type { Log } from '../lib/log.ts'
import { inBatches, inSlices, type Sliced } from '../lib/slices.ts'
import { NO_ID } from '../lib/uuid.ts'
import { SEARCH_VERSION } from '../text/search-words.ts'
import { adoptAudio } from './adopt-audio.ts'
import { CAPTURES_FOLDER } from './capture-files.ts'
import { firstJob } from './create-capture.ts'
import { endStaleJobs } from './end-stale-jobs.ts'
import { type FolderListing, listFolder, namesIn, removeUnfinished } from './folder-listing.ts'
import { factsOf, toRow } from './index-row.ts'
import { promisedJob } from './queue-job.ts'
import {
  type CaptureRecord,
  isKept,
  isTombstone,
  readRecord,
  recordTimeOf,
  restoreRecordTime,
  type Tombstone,
  writeRecord,
} from './record.ts'
import { finishRemovals } from './remove-capture.ts'

export type RecoveryDeps = {
  database: Database
  dataFolder: string
  /** where uploads are received */
  incomingFolder: string
  clock: Clock
  log: Log
}

export type RecoveryReport = {
  /** files that were being written when the process died */
  unfinishedRemoved: number
  /** captures whose row was older than their record, or missing */
  restored: number
  deletionsFinished: number
  /** audio without a record, or that was arriving when the process died; now captures */
  adopted: number
  audioMissing: number
  /** captures whose audio was taken for missing and is there */
  audioFound: number
  /** captures that got a job back */
  requeued: number
}

const BATCH = 200

/** Runs before anything else touches captures; the caller holds the instance lock. */
export async function recoverCaptures(deps: RecoveryDeps): Promise<RecoveryReport> {
  const unfinishedRemoved = await removeLeftovers(deps)
  const listing = await listFolder(deps.dataFolder)
  await endStaleJobs(deps)
  const { restored, deletionsFinished, unreadable } = await followRecords(deps, listing)
  const adopted = await adoptOrphans(deps, listing, unreadable)
  await indexAgain(deps)
  await foldAgain(deps)
  const audioFound = await giveAudioBack(deps, listing)
  const audioMissing = await findMissingAudio(deps, listing)
  const requeued = await giveJobsBack(deps)
  await layBallast(deps.dataFolder)
  const report = {
    unfinishedRemoved,
    restored,
    deletionsFinished,
    adopted,
    audioFound,
    audioMissing,
    requeued,
  }
  if (Object.values(report).some((number) => number > 0)) deps.log.info(report, 'recordings recovered')
  return report
}

async function removeLeftovers({ dataFolder, incomingFolder }: RecoveryDeps): Promise<number> {
  const root = join(dataFolder, CAPTURES_FOLDER)
  const folders = [incomingFolder, ...(await namesIn(root)).map((month) => join(root, month))]
  const removed = await Promise.all(folders.map(removeUnfinished))
  return removed.reduce((sum, number) => sum + number, 0)
}

type Followed = { restored: number; deletionsFinished: number; unreadable: string[] }

async function followRecords(deps: RecoveryDeps, listing: FolderListing): Promise<Followed> {
  const followed: Followed = { restored: 0, deletionsFinished: 0, unreadable: [] }
  const suspects = await suspectsAmong(deps, listing)
  for (let from = 0; from < suspects.length; from += BATCH) {
    const ids = suspects.slice(from, from + BATCH)
    const records = await Promise.all(ids.map((id) => readRecord(deps.dataFolder, id, 'without segments')))
    followed.unreadable.push(...ids.filter((_, index) => records[index] === 'unreadable'))
    const known = await deps.database.run((orm) => revisionsOf(orm, ids))
    followed.restored += await restore(deps, records.filter(isKept), known)
    await restorePromised(deps, records.filter(isKept))
    followed.deletionsFinished += await finishDeletions(deps, records.filter(isTombstone), { listing, known })
    for (const record of records)
      if (record !== null && record !== 'unreadable') restoreRecordTime(deps.dataFolder, record)
  }
  return followed
}

/** Those whose file bears another time than the row: the index has not followed them, or promises may be forgotten. */
async function suspectsAmong(
  { database, dataFolder }: RecoveryDeps,
  { records, audio, apart }: FolderListing,
): Promise<string[]> {
  const { kept, gone } = await database.run(changeTimes)
  const isErased = (id: string) => !audio.has(id) && !apart.has(id)
  const followed = (id: string) => kept.get(id) ?? (isErased(id) ? gone.get(id) : undefined)
  return records.filter((id) => recordTimeOf(dataFolder, id) !== followed(id))
}

async function restore(
  { database, log }: RecoveryDeps,
  records: CaptureRecord[],
  known: Map<string, number>,
): Promise<number> {
  const stale = records.filter(({ capture }) => (known.get(capture.id) ?? 0) < capture.revision)
  const rows = stale.map(({ capture }) => asLeft(toRow(capture)))
  try {
    await database.transaction((tx) => saveCaptures(tx, rows))
    return rows.length
  } catch (error) {
    if (error instanceof DatabaseAwayError) throw error
    // One record that the database will not take must not keep the others out, nor the server from starting.
    const saved = await Promise.all(
      rows.map((row) =>
        database
          .run((orm) => saveCaptures(orm, [row]))
          .then(() => 1)
          .catch((error: Error) => {
            log.error({ captureId: row.capture.id, reason: error.message }, 'a record cannot be indexed')
            return 0
          }),
      ),
    )
    return saved.reduce<number>((sum, number) => sum + number, 0)
  }
}

/** Jobs that were promised and that a power cut has taken from the database; the others are known there by their id. */
async function restorePromised({ database, log }: RecoveryDeps, records: CaptureRecord[]): Promise<void> {
  const jobs = records.flatMap(({ capture, promised }) =>
    promised === null ? [] : [promisedJob(capture.id, promised)],
  )
  // One by one: a capture that could not be indexed must not keep the others' jobs out.
  for (const job of jobs)
    await database
      .run((orm) => insertJobs(orm, [job]))
      .catch((error: Error) =>
        log.error({ jobId: job.id, reason: error.message }, 'a job cannot be restored'),
      )
}

/** Nothing is under way at the start. */
const asLeft = ({ capture, facts }: IndexedCapture): IndexedCapture =>
  capture.status === 'transcribing' || capture.status === 'refining'
    ? { capture: { ...capture, status: 'pending' }, facts }
    : { capture, facts }

async function finishDeletions(
  deps: RecoveryDeps,
  tombstones: Tombstone[],
  { listing, known }: { listing: FolderListing; known: Map<string, number> },
): Promise<number> {
  const unfinished = tombstones.filter(
    ({ remains: { id } }) => listing.audio.has(id) || listing.apart.has(id) || known.has(id),
  )
  const failure = await finishRemovals(deps, tombstones)
  // The next start tries it again; this one is for all other recordings.
  if (failure !== null) deps.log.error({ reason: failure.message }, 'what was deleted cannot be erased')
  for (const { remains } of tombstones) listing.audio.delete(remains.id)
  return unfinished.length
}

/** Audio that was moved into place just before a crash, or whose record was spoiled: better kept than lost. */
async function adoptOrphans(
  deps: RecoveryDeps,
  { records, audio }: FolderListing,
  unreadable: string[],
): Promise<number> {
  const withRecord = new Set(records)
  for (const id of unreadable) withRecord.delete(id)
  const orphans = [...audio].filter(([id]) => !withRecord.has(id))
  let adopted = 0
  for (const [id, audioPath] of orphans) if (await adoptAudio(deps, id, audioPath)) adopted++
  return adopted
}

/** Captures that an earlier version of this program has indexed, which kept nothing to find them by. */
async function indexAgain({ database }: RecoveryDeps): Promise<void> {
  for (;;) {
    const rows = await database.run((orm) => capturesWithoutFacts(orm, BATCH))
    if (rows.length === 0) return
    const indexed = rows.map((capture) => ({ capture, facts: factsOf(capture) }))
    await database.run((orm) => saveCaptures(orm, indexed))
  }
}

/**
 * Audio that an earlier start took for missing, or that a person put back. The row alone may say that it is gone, or the
 * record too, which then changes.
 */
async function giveAudioBack(
  { database, dataFolder, clock }: RecoveryDeps,
  { audio }: FolderListing,
): Promise<number> {
  const found = (await database.run(capturesWithoutAudio)).filter((id) => audio.has(id))
  for (const id of found) {
    const record = await readRecord(dataFolder, id)
    if (isKept(record) && !record.capture.audioAvailable) {
      const { revision } = record.capture
      const capture = { ...record.capture, audioAvailable: true, revision: revision + 1, updatedAt: clock() }
      await writeRecord(dataFolder, { ...record, capture }, record)
      await database.run((orm) => saveCaptures(orm, [asLeft(toRow(capture))]))
    }
  }
  await inBatches(found, BATCH, (ids) => database.run((orm) => markAudio(orm, ids, { isThere: true })))
  return found.length
}

/** Captures whose texts were folded in another way, by an earlier version of this program. */
async function foldAgain({ database, log }: RecoveryDeps): Promise<void> {
  let [count, after] = [0, NO_ID]
  for (;;) {
    const wanted = { version: SEARCH_VERSION, after, limit: BATCH }
    const rows = await database.run((orm) => capturesIndexedOtherwise(orm, wanted))
    if (rows.length === 0) break
    if (count === 0) log.info({}, 'indexing the captures for search again; this happens once')
    const indexed = await inSlices(indexedAgain(rows))
    await database.run((orm) => saveCaptures(orm, indexed))
    count += rows.length
    after = rows.at(-1)!.id
  }
  if (count > 0) log.info({ count }, 'captures indexed for search')
}

function* indexedAgain(rows: readonly CaptureRow[]): Sliced<IndexedCapture[]> {
  const indexed: IndexedCapture[] = []
  for (const capture of rows) {
    indexed.push({ capture, facts: factsOf(capture) })
    yield
  }
  return indexed
}

async function findMissingAudio({ database }: RecoveryDeps, { audio }: FolderListing): Promise<number> {
  const { withAudio } = await database.run(countIndexed)
  if (withAudio === audio.size) return 0
  const missing: string[] = []
  let after = NO_ID
  for (;;) {
    const page = await database.run((orm) => audioPaths(orm, { after, limit: 5000 }))
    missing.push(...page.filter((row) => row.audioAvailable && !audio.has(row.id)).map((row) => row.id))
    if (page.length < 5000) break
    after = page.at(-1)!.id
  }
  await inBatches(missing, BATCH, (ids) => database.run((orm) => markAudio(orm, ids, { isThere: false })))
  return missing.length
}

/** As old as the capture is: nothing that came later is done before it. */
async function giveJobsBack({ database }: RecoveryDeps): Promise<number> {
  const waiting = await database.run(capturesWithoutJob)
  for (let from = 0; from < waiting.length; from += BATCH) {
    const jobs = waiting.slice(from, from + BATCH).map((capture) => firstJob(capture, capture.createdAt))
    await database.run((orm) => insertJobs(orm, jobs))
  }
  return waiting.length
}
