// Opens the store that DICTATION_STORE names, or the data folder.

import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../lib/log.ts'
import { systemReason } from '../lib/os-errors.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { openBucket } from './bucket.ts'
import { createCachedStore } from './cached-store.ts'
import { createDataFolderStore } from './data-folder.ts'
import { claimStore } from './marker.ts'
import { persistently } from './persistently.ts'
import { openSharedFolder, removeAbandonedCopies } from './shared-folder.ts'
import { type SharedFiles, type Store, StoreError } from './store.ts'
import type { StoreAddress } from './store-address.ts'

/** `storeId` is the same for all servers of a shared store; null: the data folder. */
export type OpenStore = { store: Store; storeId: string | null }

type Options = { address: StoreAddress | null; dataFolder: string; maxCacheBytes: number; log: Log }

/** The failure is one line for the user. */
export async function openStore({
  address,
  dataFolder,
  maxCacheBytes,
  log,
}: Options): Promise<Result<OpenStore, string>> {
  if (address === null) return succeed({ store: createDataFolderStore(dataFolder), storeId: null })
  const { name, at } = address
  const folder = join(dataFolder, 'cache')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const files = 'bucket' in at ? openBucket(at) : folderAt(at.folder)
    const storeId = await persistently(() => claimStore(files, folder))
    if ('folder' in at) await removeAbandonedCopies(at.folder)
    const store = createCachedStore({ address: name, files, folder, maxBytes: maxCacheBytes, log })
    return succeed({ store, storeId })
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : systemReason(error)
    if (reason === null) throw error
    return fail(`The store ${name} (DICTATION_STORE) cannot be used: ${reason}`)
  }
}

/** A missing folder is not created: it may be a mount that is missing. */
function folderAt(folder: string): SharedFiles {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new StoreError('there is no such folder; create or mount it', { mayPass: false })
  return openSharedFolder(folder)
}
