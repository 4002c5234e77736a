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
Rebuilds the database of the data folder (DICTATION_DATA_DIR) from its files and sets the old one aside. No server may
run on the folder meanwhile. Dictionary, writing styles, saved commands and settings come from library.json. Lost is what
only the database has: batches, the history of commands, waiting webhook deliveries, jobs that are over, and changes of the
last second before a crash. After a crash, start and stop the server first: that writes the copies.
Exit codes: 0 made anew, 2 it could not be (nothing was changed).`

optionsOrExit({}, USAGE)
const config = readConfig(process.env)
if (!config.ok) giveUp(config.failure)
else if (config.value.databaseUrl !== null)
  giveUp('DATABASE_URL names a database that is not in the data folder; who runs it makes it anew.')
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
