// At the start: creates captures from the recordings in the inbox (inbox.ts): those that were arriving when the process
// died, and those that the database or the disk refused.

import { existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { receptionOf } from '../audio/incoming.ts'
import { syncFile, syncFolder } from '../lib/durable.ts'
import { isMissing } from '../lib/missing-file.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { isId, newId } from '../lib/uuid.ts'
import { audioKindOf } from './capture-files.ts'
import { type Intake, storeAgain } from './create-capture.ts'
import { namesIn } from './folder-listing.ts'
import { audioInInbox, forgetNote, type InboxNote, idInInbox, readNote } from './inbox.ts'
import { UNKNOWN } from './read-records.ts'

/**
 * Returns their number. Files too short to recognise as audio are deleted. A file that this process is still writing,
 * for a database that was closed meanwhile, is taken in later if its receiver leaves it there.
 */
export async function takeInbox(intake: Intake): Promise<number> {
  const { inboxFolder } = intake
  await moveOldInbox(intake)
  const ids = new Set((await namesIn(inboxFolder)).map(idInInbox).filter((id) => id !== null))
  let taken = 0
  for (const id of ids) {
    const reception = receptionOf(audioInInbox(inboxFolder, id))
    if (reception !== null) void reception.then(() => tryToTake(intake, id))
    else if (await tryToTake(intake, id)) taken++
  }
  // If its old name came back, it would be taken in a second time.
  if (ids.size > 0) await syncFolder(inboxFolder)
  return taken
}

/** A file that cannot be taken in stays for the next start, and blocks neither this start nor other recordings. */
async function tryToTake(intake: Intake, id: string): Promise<boolean> {
  try {
    return await take(intake, id)
  } catch (error) {
    if (!isMissing(error))
      intake.log.error(
        { id, reason: String(error) },
        'could not take in a recording from the inbox; the next start tries again',
      )
    return false
  }
}

async function take(intake: Intake, name: string): Promise<boolean> {
  const { inboxFolder, log } = intake
  const path = audioInInbox(inboxFolder, name)
  const kind = existsSync(path) ? audioKindOf(path) : null
  if (kind === null) {
    await rm(path, { force: true })
    await forgetNote(inboxFolder, name)
    return false
  }
  // The process that wrote it had no time to sync it.
  await syncFile(path)
  const incoming = { path, bytes: (await stat(path)).size, sha256: await sha256Of(path), kind }
  const note = (await readNote(inboxFolder, name)) ?? (await noteWithout(path, name))
  const capture = await intake.lock(note.id, () => storeAgain(intake, incoming, note))
  if (capture === null) return false
  log.warn({ captureId: note.id, bytes: incoming.bytes }, 'took in a recording from the inbox')
  return true
}

/** The note of a recording with nothing known but its file. */
async function noteWithout(path: string, name: string): Promise<InboxNote> {
  const madeAt = await beginningOf(path)
  const id = isId(name) ? name : newId(madeAt)
  const fields = { ...UNKNOWN, refine: null }
  return { id, jobId: newId(madeAt), madeAt, fields, isInterrupted: true, isDiscarded: false }
}

/** Start time of the recording. Some file systems do not store it, and a copied file is younger than its content. */
async function beginningOf(path: string): Promise<Date> {
  const { birthtime, mtime } = await stat(path)
  return birthtime.getTime() > 0 && birthtime < mtime ? birthtime : mtime
}

const OLD_FOLDER = 'incoming'
const OLD_SUFFIX = '.live'

/** Earlier versions had the inbox in another folder, without notes. */
async function moveOldInbox({ dataFolder, inboxFolder }: Intake): Promise<void> {
  const folder = join(dataFolder, OLD_FOLDER)
  if (!existsSync(folder)) return
  for (const name of await namesIn(folder)) {
    if (!name.endsWith(OLD_SUFFIX)) continue
    const path = join(folder, name)
    await rename(path, audioInInbox(inboxFolder, newId(await beginningOf(path))))
  }
  await syncFolder(inboxFolder)
  await rm(folder, { recursive: true, force: true })
}
