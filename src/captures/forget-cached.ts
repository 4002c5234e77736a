// Removes from the cache of a shared store what other servers have deleted: when they report it, and at a start.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { idsThere } from '../../db/capture-ids.ts'
import type { Database } from '../../db/database.ts'
import type { ArchiveEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { inBatches } from '../lib/time-slice.ts'
import { isId } from '../lib/uuid.ts'
import { listFiles } from '../store/data-folder.ts'
import type { Store } from '../store/store.ts'
import { pathOf } from './capture-files.ts'

const BATCH = 500

/** For the events of other servers. */
export const forgetDeleted =
  ({ store, log }: { store: Store; log: Log }) =>
  (event: ArchiveEvent): void => {
    if (event.name !== 'capture.deleted' || store.address === null) return
    removeFiles(store, pathOf(event.captureId)).catch((error: unknown) =>
      log.warn({ reason: String(error) }, 'a recording that another server deleted is still in the cache'),
    )
  }

async function removeFiles({ folder }: Store, prefix: string): Promise<void> {
  for await (const path of listFiles(folder, prefix)) await rm(join(folder, path), { force: true })
}

/** They may have been deleted while this server was stopped, or while it was about to store them here. */
export async function forgetDeletedSince({
  database,
  store,
}: {
  database: Database
  store: Store
}): Promise<void> {
  const cached: { id: string; file: string }[] = []
  for await (const path of listFiles(store.folder, '')) {
    const [, id = ''] = /([0-9a-f-]{36})\.[^/]*$/.exec(path) ?? []
    if (isId(id)) cached.push({ id, file: join(store.folder, path) })
  }
  await inBatches(cached, BATCH, async (some) => {
    const ids = some.map(({ id }) => id)
    const there = new Set(await database.run((orm) => idsThere(orm, ids)))
    for (const { id, file } of some) if (!there.has(id)) await rm(file, { force: true })
  })
}
