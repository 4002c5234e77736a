// Compares library.json with the rows of the database. Changes nothing.

import { join } from 'node:path'
import type { Database, Orm } from '../../db/database.ts'
import { dictionaryTable, findLibrary, savedCommandTable, writingStyleTable } from '../../db/library.ts'
import { isObject, LIBRARY_FILE, readObject } from './copy.ts'

const TABLES = { dictionary: dictionaryTable, writingStyles: writingStyleTable, commands: savedCommandTable }

type Deps = { database: Database; dataFolder: string }

/** A copy that is known to be behind is no difference: the next start writes it. */
export async function verifyLibrary({ database, dataFolder }: Deps) {
  const differences: string[] = []
  let rows = 0
  const library = await database.run(findLibrary)
  if (library === null || library.copiedRevision !== library.revision) return { rows, differences }
  const copy = await readObject(join(dataFolder, LIBRARY_FILE)).catch(() => null)
  if (copy === null) return { rows, differences: [`${LIBRARY_FILE} cannot be read`] }

  const compare = (key: string, stored: unknown) => {
    if (!Bun.deepEquals(comparable(copy[key]), comparable(stored)))
      differences.push(`${LIBRARY_FILE}: ${key} is not as in the database`)
  }
  // A setting that was never changed is only in the copy.
  compare('settings', { ...(isObject(copy.settings) && copy.settings), ...library.settings })
  compare('webhookKey', library.webhookKey)
  for (const [key, table] of Object.entries(TABLES)) {
    const stored = await database.run((orm: Orm): Promise<{ id: string }[]> => table.list(orm))
    rows += stored.length
    compare(key, stored)
  }
  return { rows, differences }
}

/** Uses are counted without a new copy; folded names are derived. */
const NOT_COMPARED = new Set(['usageCount', 'lastUsedAt', 'folded', 'foldedName'])

function comparable(value: unknown): unknown {
  const plain = JSON.stringify(value ?? null, (key, part) => (NOT_COMPARED.has(key) ? undefined : part))
  const parsed: unknown = JSON.parse(plain)
  return Array.isArray(parsed) ? parsed.toSorted((one, other) => (one?.id < other?.id ? -1 : 1)) : parsed
}
