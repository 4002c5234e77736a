// npm run verify: compares the files of the data folder with its database, both ways, and the audio with what was received.
// Changes nothing that a server would not; what is compared is src/captures/verify-captures.ts and src/library/verify-library.ts.

import { openDatabase } from '../db/open.ts'
import { verifyCaptures } from '../src/captures/verify-captures.ts'
import { type Config, readConfig } from '../src/config.ts'
import { DatabaseDamagedError } from '../src/lib/database-errors.ts'
import { takeInstanceLock } from '../src/lib/lock.ts'
import { silentLog as log } from '../src/lib/log.ts'
import { verifyLibrary } from '../src/library/verify-library.ts'
import { noDataFolder } from './client/data-folder.ts'
import { optionsOrExit } from './client/options.ts'

const USAGE = `usage: npm run verify
Compares the files of the data folder (DICTATION_DATA_DIR) with its database, both ways, and hashes all audio again.
No server may run on the folder meanwhile; nothing is mended: the next start of the server makes the database agree with
the files of captures, its next change writes library.json, and npm run rebuild rebuilds the database from the files.
Exit codes: 0 all agrees, 1 something differs, 2 it could not be looked at.`

const WHAT_NOW =
  'Of captures the files are the truth: start the server, which follows them, or run npm run rebuild; audio that differs is in a backup alone. Of library.json the database is the truth: the next change writes it.'

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
      `${captures} captures and ${library.rows} entries agree with the database in ${dataFolder}; all audio is what was received.`,
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
