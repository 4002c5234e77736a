// dictation rebuild: rebuilds the embedded database from the files of the data folder; the old database is quarantined.

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
  'DATABASE_URL names a database outside the data folder, which this command cannot rebuild. Unset it, or rebuild that database yourself.'

export async function rebuildFolder({ env, report }: Tools): Promise<number> {
  const config = readConfig(env)
  if (!config.ok) throw notRebuilt(config.failure)
  const { dataFolder, databaseUrl } = config.value
  const wrong = databaseUrl === null ? noDataFolder(dataFolder) : EXTERNAL
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
      `The database in ${dataFolder} was rebuilt from the files: ${captures} captures.`,
      ...aside.map((path) => `The old one is kept as ${path}.`),
    ].join('\n'),
  )
  return EXIT.done
}

const notRebuilt = (reason: string): CommandFailure =>
  new CommandFailure(reason, { code: 'not_rebuilt', exitCode: EXIT.usage })
