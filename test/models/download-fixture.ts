// A process that downloads one model, to be killed while it does: <hub> <models folder> <name>.
// Put together as the server does.

import { silentLog } from '../../src/lib/log.ts'
import { createDownloads } from '../../src/models/downloads.ts'
import { createFolderTurn } from '../../src/models/folder-turn.ts'
import { createModelStore } from '../../src/models/store.ts'

const [hub = '', modelsFolder = '', name = ''] = process.argv.slice(2)
const downloads = createDownloads({
  ...{ modelsFolder, maxModelBytes: 2_000_000_000, log: silentLog, clock: () => new Date() },
  store: createModelStore({ bundledFolder: modelsFolder, modelsFolder }),
  folderTurn: createFolderTurn(modelsFolder),
  baseUrl: () => hub,
  publish() {},
})
const started = await downloads.start(name)
if (!started.ok) throw new Error(started.failure.message)
