// Opens the database that the settings ask for, and loads no more than that one's driver.
// Everything particular to either is in embedded.ts and external.ts.

import type { Log } from '../src/lib/log.ts'
import type { Result } from '../src/lib/result.ts'
import type { Database, DatabaseFailure } from './database.ts'
import { compileEmbedded } from './embedded-module.ts'

type Options = {
  dataFolder: string
  databaseUrl: string | null
  /** the embedded database, where somebody has begun to compile it */
  compiled?: Promise<WebAssembly.Module> | undefined
  /** the embedded one that is there is damaged: it is set aside, and an empty one opened */
  anew?: boolean
  log: Log
}

/** Up to date and ready when it resolves. The caller holds the instance lock of the data folder. */
export async function openDatabase({
  dataFolder,
  databaseUrl,
  compiled,
  anew = false,
  log,
}: Options): Promise<Result<Database, DatabaseFailure>> {
  if (databaseUrl === null) {
    const { openEmbedded, openEmbeddedAnew } = await import('./embedded.ts')
    const open = anew ? openEmbeddedAnew : openEmbedded
    return open({ dataFolder, compiled: compiled ?? compileEmbedded(), log })
  }
  const { openExternal } = await import('./external.ts')
  return openExternal({ databaseUrl, log })
}
