// dictation rebuild: rebuilds the embedded database from the files of the data folder, and quarantines the old one; or
// fills an empty external database from a shared store.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../config.ts'
import { silentLog } from '../../lib/log.ts'
import { createDictationServer } from '../../server.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { noDataFolder } from './data-folder.ts'

const EXTERNAL =
  'DATABASE_URL names a database outside the data folder, which this command cannot rebuild. Unset it, or set DICTATION_STORE and an empty database to fill from the store.'

export async function rebuildFolder({ env, report }: Tools): Promise<number> {
  const config = readConfig(env)
  if (!config.ok) throw notRebuilt(config.failure)
  const { dataFolder, databaseUrl, store } = config.value
  const wrong = databaseUrl === null ? noDataFolder(dataFolder) : store === null ? EXTERNAL : null
  if (wrong !== null) throw notRebuilt(wrong)
  const { version } = packageJson
  const server = createDictationServer({
    role: 'server',
    config: config.value,
    log: silentLog,
    version,
    readKey: () => undefined,
  })
  const rebuilt = await server.rebuild()
  await server.stop()
  if (!rebuilt.ok) throw notRebuilt(rebuilt.failure)
  const captures = rebuilt.value
  const aside = readdirSync(dataFolder)
    .filter((name) => /^postgres-\d+\.unusable-/.test(name))
    .map((name) => join(dataFolder, name))
  report.answer({ data_folder: dataFolder, captures, kept: aside }, () =>
    [
      store === null
        ? `The database in ${dataFolder} was rebuilt from the files: ${captures} captures.`
        : `The database was filled from ${store.name}: ${captures} captures.`,
      ...aside.map((path) => `The old one is kept as ${path}.`),
    ].join('\n'),
  )
  return EXIT.done
}

const notRebuilt = (reason: string): CommandFailure =>
  new CommandFailure(reason, { code: 'not_rebuilt', exitCode: EXIT.usage })
