// The library on a test's database, and what its stores are opened with: the server's own.
// No copy is written unless the test starts it.

import type { Database } from '../../db/database.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { openLibrary } from '../../src/library/library.ts'
import { LIBRARY_PARTS } from '../../src/library-parts.ts'
import { createSettings } from '../../src/settings/settings-store.ts'

type Options = { database: Database; dataFolder: string; clock?: Clock; log?: Log }

export async function libraryPlace({ database, dataFolder, clock = systemClock, log = silentLog }: Options) {
  const place = { database, dataFolder, clock, log }
  return { ...place, library: await openLibrary({ ...place, parts: LIBRARY_PARTS }) }
}

export async function openTestSettings(options: Options) {
  const { library, log } = await libraryPlace(options)
  const settings = createSettings({ log })
  settings.attach(library)
  return settings
}
