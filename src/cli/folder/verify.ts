// dictation verify: compares the files of the data folder with its database in both directions, and the audio with its
// hashes. Changes nothing that a server would not.

import { openDatabase } from '../../../db/open.ts'
import { verifyCaptures } from '../../captures/copies.ts'
import { type Config, readConfig } from '../../config.ts'
import { DatabaseDamagedError } from '../../lib/database-errors.ts'
import { takeInstanceLock } from '../../lib/lock.ts'
import { silentLog as log } from '../../lib/log.ts'
import { verifyLibrary } from '../../library/copy.ts'
import { openStore } from '../../store/open-store.ts'
import { EXIT } from '../terminal/exit.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { Tools } from '../tools.ts'
import { noDataFolder } from './data-folder.ts'

const WHAT_NOW =
  'For captures the files are authoritative: start the server, which updates the database from them, or run "dictation rebuild". Restore audio that differs from a backup. For library.json the database is authoritative: the next change rewrites the file.'

export async function verifyFolder({ env, report }: Tools): Promise<number> {
  const config = readConfig(env)
  if (!config.ok) throw unreadable(config.failure)
  const { dataFolder, store } = config.value
  const place = store?.name ?? dataFolder
  const { checked, differences } = await compare(config.value)
  report.answer({ data_folder: dataFolder, ...checked, differences }, () =>
    checked !== null && differences.length === 0
      ? `${checked.captures} captures and ${checked.entries} entries match the database in ${place}; all audio matches its hash.`
      : differences.join('\n'),
  )
  if (differences.length === 0) return EXIT.done
  const count = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
  report.say(`${count}. ${WHAT_NOW}`)
  return EXIT.failed
}

type Comparison = { checked: { captures: number; entries: number } | null; differences: string[] }

async function compare({
  dataFolder,
  databaseUrl,
  store: address,
  maxCacheBytes,
}: Config): Promise<Comparison> {
  const wrong = address === null ? noDataFolder(dataFolder) : null
  if (wrong !== null) throw unreadable(wrong)
  const lock = await takeInstanceLock(dataFolder, { task: 'dictation verify' })
  if (!lock.ok) throw unreadable(lock.failure.message)
  const stored = await openStore({ address, dataFolder, maxCacheBytes, log })
  if (!stored.ok) {
    lock.value.release()
    throw unreadable(stored.failure)
  }
  const { store } = stored.value
  const opened = await openDatabase({ dataFolder, databaseUrl, log })
  if (!opened.ok) {
    if (opened.failure.code !== 'database_damaged') throw unreadable(opened.failure.message)
    return { checked: null, differences: [opened.failure.message] }
  }
  const database = opened.value
  try {
    const { captures, differences } = await verifyCaptures({ database, store })
    const library = await verifyLibrary({ database, store })
    return {
      checked: { captures, entries: library.rows },
      differences: [...differences.map(({ id, what }) => `capture ${id}: ${what}`), ...library.differences],
    }
  } catch (error) {
    if (error instanceof DatabaseDamagedError) return { checked: null, differences: [error.message] }
    throw unreadable(String(error))
  } finally {
    await database.close()
    lock.value.release()
  }
}

const unreadable = (reason: string): CommandFailure =>
  new CommandFailure(reason, { code: 'data_unreadable', exitCode: EXIT.usage })
