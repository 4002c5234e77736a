// Makes captures of recordings that were being sent, while they were made, when the process died.
// What arrived of them is all there is: what a client said of them was lost with the process.

import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { saveCapture } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { LIVE_SUFFIX } from '../audio/incoming.ts'
import { makeFolder, syncFile, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { newId } from '../lib/uuid.ts'
import { UNKNOWN } from './adopt-audio.ts'
import { UPLOAD_INTERRUPTED } from './capture.ts'
import { audioKindOf, folderOf } from './capture-files.ts'
import { newCapture } from './create-capture.ts'
import { namesIn } from './folder-listing.ts'
import { toRow } from './index-row.ts'
import { newRecord, writeRecord } from './record.ts'

type Deps = { database: Database; dataFolder: string; incomingFolder: string; log: Log }

/** How many there were. What is too short to be told from no recording is removed. */
export async function adoptUploads(deps: Deps): Promise<number> {
  const names = (await namesIn(deps.incomingFolder)).filter((name) => name.endsWith(LIVE_SUFFIX))
  let adopted = 0
  for (const name of names) if (await adopt(deps, join(deps.incomingFolder, name))) adopted++
  // An old name that came back would be adopted once more.
  if (names.length > 0) await syncFolder(deps.incomingFolder)
  return adopted
}

async function adopt({ database, dataFolder, log }: Deps, path: string): Promise<boolean> {
  const kind = audioKindOf(path)
  if (kind === null) {
    await rm(path, { force: true })
    return false
  }
  const { size, mtime } = await stat(path)
  // It was written by a process that had no time for it.
  await syncFile(path)
  const incoming = { bytes: size, sha256: await sha256Of(path), kind }
  const born = newCapture({ incoming, fields: UNKNOWN, now: mtime, id: newId(mtime) })
  const capture = { ...born, error: UPLOAD_INTERRUPTED }
  await makeFolder(folderOf(dataFolder, capture.id))
  // Made durable by the sync of the same folder that ends the writing of the record.
  await rename(path, join(dataFolder, capture.audioPath))
  await writeRecord(dataFolder, newRecord(capture))
  await database.run((orm) => saveCapture(orm, toRow(capture)))
  log.warn(
    { captureId: capture.id, bytes: size },
    'a recording that was arriving when the server died is kept',
  )
  return true
}
