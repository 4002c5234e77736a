// The server's own library and stores on a test database. Copies are written only if the test starts that.

import type { Database } from '../../db/database.ts'
import { openSavedCommands } from '../../src/commands/saved-commands.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { openLibrary } from '../../src/library/library.ts'
import { LIBRARY_PARTS } from '../../src/library-parts.ts'
import { createSettings } from '../../src/settings/settings-store.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import { openDictionary } from '../../src/writing/dictionary.ts'
import { openWritingStyles } from '../../src/writing/styles.ts'

type Options = { database: Database; dataFolder: string; clock?: Clock; log?: Log | undefined }

export async function libraryPlace({ database, dataFolder, clock = systemClock, log = silentLog }: Options) {
  const place = { database, dataFolder, store: createDataFolderStore(dataFolder), clock, log }
  return { ...place, library: await openLibrary({ ...place, parts: LIBRARY_PARTS }) }
}

export async function openTestSettings(options: Options) {
  const { library, log } = await libraryPlace(options)
  const settings = createSettings({ log })
  settings.attach(library)
  return settings
}

/** The whole library with its copies, as the server opens it. */
export async function openStores({ copying = true, ...options }: Options & { copying?: boolean }) {
  const place = await libraryPlace(options)
  const { library } = place
  const settings = createSettings(place)
  settings.attach(library)
  const styles = await openWritingStyles(place)
  const dictionary = await openDictionary(place)
  const saved = await openSavedCommands(place)
  const content = () => ({
    settings: settings.current(),
    dictionary: dictionary.list(),
    writingStyles: styles.list(),
    commands: saved.list(),
  })
  // A process that is killed writes no copy.
  if (copying) library.startCopying(content)
  const close = async () => {
    for (const store of [saved, dictionary, styles, library]) await store.close()
  }
  return { library, settings, styles, dictionary, saved, close }
}
