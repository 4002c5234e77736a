// Compares library.json with the rows of the database. Changes nothing.
// Captures are src/captures/verify-captures.ts.

import { join } from 'node:path'
import type { Database, Orm } from '../../db/database.ts'
import { dictionaryTable, findLibrary, savedCommandTable, writingStyleTable } from '../../db/library.ts'
import { isObject, LIBRARY_FILE, readObject } from './copy.ts'

const TABLES = {
  dictionary: dictionaryTable,
  writingStyles: writingStyleTable,
  commands: savedCommandTable,
}

/** A copy that is known to be behind agrees: the next start writes it. */
export async function verifyLibrary(deps: {
  database: Database
  dataFolder: string
}): Promise<{ rows: number; differences: string[] }> {
  const { database, dataFolder } = deps
  const library = await database.run(findLibrary)
  if (library === null || library.copiedRevision !== library.revision) return { rows: 0, differences: [] }
  const copy = await readObject(join(dataFolder, LIBRARY_FILE)).catch((error: unknown) => {
    if (error instanceof SyntaxError) return null
    throw error
  })
  if (copy === null) return { rows: 0, differences: [`${LIBRARY_FILE} cannot be read`] }
  const same = (name: 'settings' | 'webhookKey') => Bun.deepEquals(copy[name], library[name])
  const differences = (['settings', 'webhookKey'] as const)
    .filter((name) => !same(name))
    .map((name) => `${LIBRARY_FILE}: ${name} is not as in the database`)
  let rows = 0
  for (const [key, table] of Object.entries(TABLES)) {
    const stored = await database.run((orm: Orm): Promise<{ id: string }[]> => table.list(orm))
    const written = Array.isArray(copy[key]) ? copy[key].filter(isObject) : []
    rows += stored.length
    differences.push(...differencesIn(key, written, stored))
  }
  return { rows, differences }
}

function* differencesIn(
  key: string,
  written: readonly Record<string, unknown>[],
  stored: readonly { id: string }[],
): Generator<string> {
  const byId = new Map(stored.map((row) => [row.id, row]))
  for (const row of written) {
    const id = String(row.id)
    const twin = byId.get(id)
    byId.delete(id)
    if (twin === undefined) yield `${LIBRARY_FILE}: ${key}: the database does not have ${id}`
    else if (!isSame(row, twin)) yield `${LIBRARY_FILE}: ${key}: ${id} is not as in the database`
  }
  for (const id of byId.keys()) yield `${LIBRARY_FILE}: ${key}: only the database has ${id}`
}

/** Uses are counted without a new copy. */
const USES = new Set(['usageCount', 'lastUsedAt'])

/** What the copy lacks, such as folded names, follows from the rest. */
function isSame(written: Record<string, unknown>, stored: object): boolean {
  const plain = JSON.parse(JSON.stringify(stored)) as Record<string, unknown>
  return Object.keys(written).every((key) => USES.has(key) || Bun.deepEquals(written[key], plain[key]))
}
