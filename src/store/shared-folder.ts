// A store in a folder that all servers mount, for example by NFS.

import { createReadStream, existsSync } from 'node:fs'
import { constants, copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, removeDurably, syncFile, syncFolder } from '../lib/durable.ts'
import { isMissing, systemReason } from '../lib/os-errors.ts'
import { newId } from '../lib/uuid.ts'
import { listFiles } from './data-folder.ts'
import { MARKER } from './marker.ts'
import { missingFile, type SharedFiles, StoreError } from './store.ts'

/** Copies in progress. On the same file system, so that a rename puts them in place. */
const UNFINISHED = 'unfinished'
/** A copy that takes longer belongs to a killed server. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

export function openSharedFolder(folder: string): SharedFiles {
  const at = (path: string) => join(folder, path)

  /** Without its mount, the folder is an empty one on this computer's disk, where recordings would be lost. */
  const checkMounted = (path: string) => {
    if (path !== MARKER && !existsSync(at(MARKER)))
      throw new StoreError(`${folder} has no ${MARKER}; is it mounted?`, { mayPass: false })
  }

  return {
    put: (path, file, { isNew = false } = { isNew: false }) =>
      reported(folder, async () => {
        checkMounted(path)
        const unfinished = at(join(UNFINISHED, newId(new Date())))
        for (const place of [unfinished, at(path)]) await makeFolder(dirname(place))
        try {
          await copyFile(file, unfinished, constants.COPYFILE_EXCL)
          await syncFile(unfinished)
          // Unlike a rename, a link replaces nothing.
          if (isNew) await link(unfinished, at(path)).catch(unlessThere)
          else await rename(unfinished, at(path))
        } finally {
          await rm(unfinished, { force: true })
        }
        await syncFolder(dirname(at(path)))
      }),
    get: (path) =>
      reported(folder, async () => {
        if (existsSync(at(path))) return createReadStream(at(path))
        checkMounted(path)
        throw missingFile(path)
      }),
    remove: (path) =>
      reported(folder, async () => {
        checkMounted(path)
        if (existsSync(at(path))) await removeDurably(at(path))
      }),
    async *list(prefix) {
      checkMounted(prefix)
      yield* listFiles(folder, prefix)
    },
  }
}

/** Removes copies that killed servers left. */
export async function removeAbandonedCopies(folder: string): Promise<void> {
  const unfinished = join(folder, UNFINISHED)
  if (!existsSync(unfinished)) return
  for (const name of await readdir(unfinished)) {
    const file = join(unfinished, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true })
  }
}

const unlessThere = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
}

async function reported<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = isMissing(error) ? null : systemReason(error)
    throw reason === null ? error : new StoreError(`${folder}: ${reason}`, { mayPass: true })
  }
}
