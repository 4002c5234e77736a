// Makes a capture of audio that lies in the captures folder without a record.
// It was never acknowledged to a client, or its record was spoiled; all that is known is in its bytes.

import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findCapture, saveCapture } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../lib/log.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { timeOfId } from '../lib/uuid.ts'
import { audioKindOf, recordPathOf, unreadablePathOf } from './capture-files.ts'
import { type CaptureFields, newCapture } from './create-capture.ts'
import { toRow } from './index-row.ts'
import { newRecord, readRecord, writeRecord } from './record.ts'
import { setSegmentsAside } from './segments-apart.ts'

type Deps = { database: Database; dataFolder: string; log: Log }

/** What is said of a recording that nobody is there to tell of. */
export const UNKNOWN: Omit<CaptureFields, 'refine'> = {
  source: 'recording',
  language: null,
  sttModel: null,
  fileName: null,
  title: null,
  writingStyleId: null,
  appName: null,
  appId: null,
  appUrl: null,
  windowTitle: null,
}

/** False where the index still knows the capture, or where the file is no audio; it is left as it is then. */
export async function adoptAudio(
  { database, dataFolder, log }: Deps,
  id: string,
  audioPath: string,
): Promise<boolean> {
  if ((await database.run((orm) => findCapture(orm, id))) !== null) return false
  const path = join(dataFolder, audioPath)
  const kind = audioKindOf(path)
  if (kind === null) {
    log.warn({ audioPath }, 'a file in the captures folder is not audio')
    return false
  }
  if ((await readRecord(dataFolder, id)) === 'unreadable')
    await rename(recordPathOf(dataFolder, id), unreadablePathOf(dataFolder, id))
  await setSegmentsAside({ dataFolder, id })
  const incoming = { bytes: (await stat(path)).size, sha256: await sha256Of(path), kind }
  const capture = { ...newCapture({ incoming, fields: UNKNOWN, now: timeOfId(id), id }), audioPath }
  await writeRecord(dataFolder, newRecord(capture))
  await database.run((orm) => saveCapture(orm, toRow(capture)))
  return true
}
