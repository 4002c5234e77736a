// Compares the captures' files with their rows, both ways, and the audio with what was received. Changes nothing.
// Making them agree is recovery.ts; what a person taught is src/library/verify-library.ts.

import { join } from 'node:path'
import { audioPaths, findCapture } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { isMissing } from '../lib/missing-file.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { NO_ID } from '../lib/uuid.ts'
import { listFolder } from './folder-listing.ts'
import { toRow } from './index-row.ts'
import { type CaptureRecord, readRecord } from './record.ts'
import { readSegments } from './segments-apart.ts'

type Deps = { database: Database; dataFolder: string }

/** What is told of each capture that differs. */
export type Difference = { id: string; what: string }
export type Verified = { captures: number; differences: Difference[] }

const PAGE = 5000

export async function verifyCaptures({ database, dataFolder }: Deps): Promise<Verified> {
  const differences: Difference[] = []
  const { records, audio, apart } = await listFolder(dataFolder)
  const onDisk = new Set(records)
  let captures = 0
  for (const id of records) {
    const record = await readRecord(dataFolder, id)
    const found = await database.run((orm) => findCapture(orm, id))
    const tell = (what: string) => differences.push({ id, what })
    if (record === null || record === 'unreadable') tell('its record cannot be read')
    else if (record.state === 'deleted') {
      if (found !== null) tell('it was deleted, and the database still has it')
      if (audio.has(id)) tell('it was deleted, and its audio is still there')
      if (apart.has(id)) tell('it was deleted, and its segments are still there')
    } else {
      captures++
      if (found === null) tell('the database does not have it')
      else if (!isSame(record, found.capture)) tell('its row in the database is not as its record')
      if (record.apart !== null && readSegments({ dataFolder, id }, record.apart) === null)
        tell('its segments cannot be read')
      for (const what of await faultsOfAudio(dataFolder, record, audio.has(id))) tell(what)
    }
  }
  for (const id of audio.keys())
    if (!onDisk.has(id)) differences.push({ id, what: 'its audio has no record' })
  for (const id of apart)
    if (!onDisk.has(id) && !audio.has(id)) differences.push({ id, what: 'its segments have no record' })
  for (let after = NO_ID; ; ) {
    const page = await database.run((orm) => audioPaths(orm, { after, limit: PAGE }))
    for (const { id } of page) if (!onDisk.has(id)) differences.push({ id, what: 'only the database has it' })
    if (page.length < PAGE) break
    after = page.at(-1)!.id
  }
  return { captures, differences }
}

type Row = NonNullable<Awaited<ReturnType<typeof findCapture>>>['capture']

/** The row's state runs ahead of the record's while a job works or waits. */
const isSame = ({ capture }: CaptureRecord, row: Row): boolean =>
  Bun.deepEquals({ ...toRow(capture).capture, status: row.status }, row)

async function faultsOfAudio(
  dataFolder: string,
  { capture }: CaptureRecord,
  isThere: boolean,
): Promise<string[]> {
  const faults =
    isThere && !capture.audioAvailable ? ['its audio file exists but is recorded as missing'] : []
  if (!isThere && !capture.audioAvailable) return faults
  try {
    const sha256 = await sha256Of(join(dataFolder, capture.audioPath))
    return sha256 === capture.audioSha256 ? faults : [...faults, 'its audio is not what was received']
  } catch (error) {
    if (isMissing(error)) return ['its audio is missing']
    throw error
  }
}
