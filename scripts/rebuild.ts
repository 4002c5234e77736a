// npm run rebuild: rebuilds the embedded database from the files of the data folder; the old database is quarantined.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/config.ts'
import { silentLog } from '../src/lib/log.ts'
import { createDictationServer } from '../src/server.ts'
import { noDataFolder } from './client/data-folder.ts'
import { optionsOrExit } from './client/options.ts'

const USAGE = `usage: npm run rebuild
Rebuilds the database of the data folder (DICTATION_DATA_DIR) from its files and keeps the old one under another name.
Stop the server first. Dictionary, writing styles, saved commands and settings come from library.json. Data that only the
database has is lost: batches, the command history, pending webhook deliveries, finished jobs, and changes of the last
second before a crash. After a crash, start and stop the server once before: that writes the copies.
Exit codes: 0 rebuilt, 2 failed (nothing was changed).`

optionsOrExit({}, USAGE)
const config = readConfig(process.env)
if (!config.ok) giveUp(config.failure)
else if (config.value.databaseUrl !== null)
  giveUp(
    'DATABASE_URL names a database outside the data folder, which this command cannot rebuild. Unset it, or rebuild that database yourself.',
  )
else {
  const { dataFolder } = config.value
  const wrong = noDataFolder(dataFolder)
  if (wrong !== null) giveUp(wrong)
  const { version } = packageJson
  const server = createDictationServer({
    config: config.value,
    log: silentLog,
    version,
    readKey: () => undefined,
  })
  const rebuilt = await server.rebuild()
  await server.stop()
  if (!rebuilt.ok) giveUp(rebuilt.failure)
  const aside = readdirSync(dataFolder).filter((name) => /^postgres-\d+\.unusable-/.test(name))
  console.log(`The database in ${dataFolder} was rebuilt from the files: ${rebuilt.value} captures.`)
  for (const name of aside) console.log(`The old one is kept as ${join(dataFolder, name)}.`)
  process.exit(0)
}

function giveUp(reason: string): never {
  console.error(reason)
  process.exit(2)
}
