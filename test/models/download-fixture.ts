// Downloads one model, for tests that kill the process: <hub> <models folder> <name>.

import { silentLog } from '../../src/lib/log.ts'
import { createDownloads } from '../../src/models/downloads.ts'
import { createFolderTurn } from '../../src/models/part-file.ts'
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
