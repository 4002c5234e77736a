// Compares what a person taught the server (dictionary, writing styles, commands) in its files with the tables. Changes nothing.
// Captures are src/captures/verify-captures.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listSavedCommands } from '../../db/commands.ts'
import type { Database, Orm } from '../../db/database.ts'
import { listDictionary } from '../../db/dictionary.ts'
import { listWritingStyles } from '../../db/writing-styles.ts'
import { isMissing } from '../lib/missing-file.ts'
import { DICTIONARY_FILE } from '../writing/dictionary.ts'
import { WRITING_STYLES_FILE } from '../writing/style-shelf.ts'
import { COMMANDS_FILE } from './saved-commands.ts'

type Deps = { database: Database; dataFolder: string }
type Row = Record<string, unknown>

const TABLES: [file: string, list: (orm: Orm) => Promise<Row[]>][] = [
  [DICTIONARY_FILE, listDictionary],
  [WRITING_STYLES_FILE, listWritingStyles],
  [COMMANDS_FILE, listSavedCommands],
]

export async function verifyTaught({
  database,
  dataFolder,
}: Deps): Promise<{ rows: number; differences: string[] }> {
  const differences: string[] = []
  let rows = 0
  for (const [file, list] of TABLES) {
    const written = await rowsOf(join(dataFolder, file))
    const stored = await database.run(list)
    if (written === 'unreadable') {
      differences.push(`${file} cannot be read`)
      continue
    }
    rows += written.length
    const byId = new Map(stored.map((row) => [row.id, row]))
    for (const row of written) {
      const twin = byId.get(row.id)
      byId.delete(row.id)
      if (twin === undefined) differences.push(`${file}: the database does not have ${row.id}`)
      else if (!isSame(row, twin)) differences.push(`${file}: ${row.id} is not as in the database`)
    }
    for (const id of byId.keys()) differences.push(`${file}: only the database has ${id}`)
  }
  return { rows, differences }
}

/** Uses are counted in the database and come into the file with the next change. */
const USES = new Set(['usageCount', 'lastUsedAt'])

/** What the file does not have, such as names as they are compared, follows from the rest. */
function isSame(written: Row, stored: Row): boolean {
  const plain = JSON.parse(JSON.stringify(stored)) as Row
  return Object.keys(written).every((key) => USES.has(key) || Bun.deepEquals(written[key], plain[key]))
}

async function rowsOf(path: string): Promise<Row[] | 'unreadable'> {
  try {
    const { rows } = JSON.parse(await readFile(path, 'utf8')) as { rows: unknown }
    return Array.isArray(rows) ? (rows as Row[]) : 'unreadable'
  } catch (error) {
    if (isMissing(error)) return []
    if (error instanceof SyntaxError) return 'unreadable'
    throw error
  }
}
