// Makes captures of recordings that were being sent, while they were made, when the process died, and of those that
// waited in the inbox. What arrived of them is all there is: what a client said of them was lost with the process.

import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LIVE_SUFFIX, receptionOf } from '../audio/incoming.ts'
import { syncFile, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'
import { sha256Of } from '../lib/sha256-of.ts'
import { UNKNOWN } from './adopt-audio.ts'
import { audioKindOf } from './capture-files.ts'
import type { Captures } from './captures.ts'
import { namesIn } from './folder-listing.ts'

type Deps = { captures: Pick<Captures, 'create'>; incomingFolder: string; log: Log }

/**
 * Returns how many there were. Files too short to recognise as audio are deleted. A file that this process is still
 * writing, for a database that was closed meanwhile, is adopted later if its receiver leaves it there.
 */
export async function adoptUploads(deps: Deps): Promise<number> {
  const names = (await namesIn(deps.incomingFolder)).filter((name) => name.endsWith(LIVE_SUFFIX))
  let adopted = 0
  for (const name of names) {
    const path = join(deps.incomingFolder, name)
    const reception = receptionOf(path)
    if (reception !== null) void reception.then(() => tryToAdopt(deps, path))
    else if (await tryToAdopt(deps, path)) adopted++
  }
  // An old name that came back would be adopted once more.
  if (names.length > 0) await syncFolder(deps.incomingFolder)
  return adopted
}

/** A file that cannot be adopted stays for the next start, and keeps neither this start nor other recordings back. */
async function tryToAdopt(deps: Deps, path: string): Promise<boolean> {
  try {
    return await adopt(deps, path)
  } catch (error) {
    if (!isMissing(error))
      deps.log.error({ path, reason: String(error) }, 'a recording in the inbox cannot become a capture yet')
    return false
  }
}

async function adopt({ captures, log }: Deps, path: string): Promise<boolean> {
  const kind = audioKindOf(path)
  if (kind === null) {
    await rm(path, { force: true })
    return false
  }
  const { size: bytes, birthtime, mtime } = await stat(path)
  // When the recording began. Some file systems do not know it, and a file that was copied is younger than its content.
  const madeAt = birthtime.getTime() > 0 && birthtime < mtime ? birthtime : mtime
  // It was written by a process that had no time for it.
  await syncFile(path)
  const incoming = { path, bytes, sha256: await sha256Of(path), kind }
  const fields = { ...UNKNOWN, refine: null }
  const created = await captures.create({ incoming, fields, interrupted: true, isOnlyCopy: true, madeAt })
  if (!created.ok) return false
  const { id: captureId } = created.value.capture
  log.warn({ captureId, bytes }, 'a recording that was arriving when the server died is kept')
  return true
}
