// npm run verify: compares the files of the data folder with its database in both directions, and the audio with its
// hashes. Changes nothing that a server would not.

import { openDatabase } from '../db/open.ts'
import { verifyCaptures } from '../src/captures/copies.ts'
import { type Config, readConfig } from '../src/config.ts'
import { DatabaseDamagedError } from '../src/lib/database-errors.ts'
import { takeInstanceLock } from '../src/lib/lock.ts'
import { silentLog as log } from '../src/lib/log.ts'
import { verifyLibrary } from '../src/library/copy.ts'
import { noDataFolder } from './client/data-folder.ts'
import { optionsOrExit } from './client/options.ts'

const USAGE = `usage: npm run verify
Compares the files of the data folder (DICTATION_DATA_DIR) with its database in both directions, and rehashes all audio.
Stop the server first. Repairs nothing: the next start of the server updates the database from the files of captures, its
next change rewrites library.json, and npm run rebuild rebuilds the database from the files.
Exit codes: 0 no differences, 1 differences, 2 the data could not be read.`

const WHAT_NOW =
  'For captures the files are authoritative: start the server, which updates the database from them, or run npm run rebuild. Restore audio that differs from a backup. For library.json the database is authoritative: the next change rewrites the file.'

optionsOrExit({}, USAGE)
const config = readConfig(process.env)
process.exit(config.ok ? await verify(config.value) : cannot(config.failure))

async function verify({ dataFolder, databaseUrl }: Config): Promise<number> {
  const wrong = noDataFolder(dataFolder)
  if (wrong !== null) return cannot(wrong)
  const lock = await takeInstanceLock(dataFolder)
  if (!lock.ok) return cannot(lock.failure.message)
  const opened = await openDatabase({ dataFolder, databaseUrl, log })
  if (!opened.ok)
    return opened.failure.code === 'database_damaged'
      ? differs([opened.failure.message])
      : cannot(opened.failure.message)
  const database = opened.value
  try {
    const { captures, differences } = await verifyCaptures({ database, dataFolder })
    const library = await verifyLibrary({ database, dataFolder })
    const lines = [...differences.map(({ id, what }) => `capture ${id}: ${what}`), ...library.differences]
    if (lines.length > 0) return differs(lines)
    console.log(
      `${captures} captures and ${library.rows} entries match the database in ${dataFolder}; all audio matches its hash.`,
    )
    return 0
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return differs([error.message])
    return cannot(String(error))
  } finally {
    await database.close()
    lock.value.release()
  }
}

function differs(lines: string[]): number {
  for (const line of lines) console.log(line)
  console.error(`${lines.length} ${lines.length === 1 ? 'difference' : 'differences'}. ${WHAT_NOW}`)
  return 1
}

function cannot(reason: string): number {
  console.error(reason)
  return 2
}
