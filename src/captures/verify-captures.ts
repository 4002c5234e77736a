// Compares the captures' rows with their recordings and with the copies beside them. Changes nothing.

import { join } from 'node:path'
import { knownCaptures, uncopiedCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { isMissing } from '../lib/missing-file.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { NO_ID } from '../lib/uuid.ts'
import type { Capture } from './capture.ts'
import { recordOf } from './copies.ts'
import { listFolder } from './folder-listing.ts'
import { type CaptureRecord, type RecordRead, readRecord } from './record.ts'

type VerifyDeps = { database: Database; dataFolder: string }

/** `what` names the difference. */
export type Difference = { id: string; what: string }
export type Verified = { captures: number; differences: Difference[] }

const ALL = 2 ** 31 - 1

export async function verifyCaptures({ database, dataFolder }: VerifyDeps): Promise<Verified> {
  const differences: Difference[] = []
  const { records, audio } = await listFolder(dataFolder)
  const { withAudio, withoutAudio, deleted } = await database.run(knownCaptures)
  // The next start writes these.
  const behind = new Set(await database.run((orm) => uncopiedCaptures(orm, { after: NO_ID, limit: ALL })))
  const kept = [...withAudio, ...withoutAudio].sort()
  for (const id of kept) {
    const note = (what: string) => differences.push({ id, what })
    const record = await recordOf(database, id)
    if (record === null) continue
    const fault = behind.has(id) ? null : faultOfCopy(record, readRecord(dataFolder, id))
    if (fault !== null) note(fault)
    for (const what of await faultsOfAudio(dataFolder, record.capture, audio.has(id))) note(what)
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
  dataFolder: string,
  { audioAvailable, audioPath, audioSha256 }: Capture,
  isThere: boolean,
): Promise<string[]> {
  const faults = isThere && !audioAvailable ? ['its audio file exists but is recorded as missing'] : []
  if (!isThere && !audioAvailable) return faults
  try {
    const sha256 = await sha256Of(join(dataFolder, audioPath))
    return sha256 === audioSha256 ? faults : [...faults, 'its audio is not what was received']
  } catch (error) {
    if (isMissing(error)) return ['its audio is missing']
    throw error
  }
}
