// Opens the configured database and loads only the driver it needs.

import type { Log } from '../src/lib/log.ts'
import type { Result } from '../src/lib/result.ts'
import type { Database, DatabaseFailure } from './database.ts'
import { type EmbeddedStart, prepareEmbedded } from './embedded-start.ts'

type Options = {
  dataFolder: string
  databaseUrl: string | null
  /** the start of the embedded database, if it has begun */
  embedded?: EmbeddedStart | undefined
  /** the existing embedded database is damaged: quarantine it and open an empty one */
  rebuild?: boolean
  log: Log
}

/** Migrated and ready once it resolves. The caller holds the instance lock of the data folder. */
export async function openDatabase({
  dataFolder,
  databaseUrl,
  embedded,
  rebuild = false,
  log,
}: Options): Promise<Result<Database, DatabaseFailure>> {
  if (databaseUrl === null) {
    const { openEmbedded, rebuildEmbedded } = await import('./embedded.ts')
    const open = rebuild ? rebuildEmbedded : openEmbedded
    return open({ dataFolder, embedded: embedded ?? prepareEmbedded(), log })
  }
  const { openExternal } = await import('./external.ts')
  return openExternal({ databaseUrl, log })
}
