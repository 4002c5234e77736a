// library.json: a readable copy of the library, from which an empty database is filled. Written after the commit; no
// running server reads it; `dictation verify` compares it.

import { readFile } from 'node:fs/promises'
import type { TObject } from '@sinclair/typebox'
import type { Database, Orm } from '../../db/database.ts'
import {
  dictionaryTable,
  findLibrary,
  type LibraryTable,
  savedCommandTable,
  type TaughtRow,
  writingStyleTable,
} from '../../db/library.ts'
import { nullIfMissing } from '../lib/os-errors.ts'
import type { Store } from '../store/store.ts'

export type LibraryPart<Row extends TaughtRow, Stored extends TaughtRow> = {
  /** its key in library.json */
  key: 'dictionary' | 'writingStyles' | 'commands'
  /** the file in which versions before library.json stored it */
  earlierFile: string
  /** schema of a row in a file */
  schema: TObject
  table: LibraryTable<Stored>
  /** adds derived columns, such as the folded name */
  toStored(row: Row): Stored
  fromStored(stored: Stored): Row
  /** Repairs rows from a file that a user may have edited: no duplicate ids or names. */
  settle(rows: readonly Row[], now: Date): Row[]
}

/** A part whose row type only the part itself knows. */
// biome-ignore lint/suspicious/noExplicitAny: a list of parts holds a different kind of row in each
export type AnyLibraryPart = LibraryPart<any, any>

/** The row with the larger of two counts. */
export const withUses = <Row extends TaughtRow>(row: Row, counted: TaughtRow | undefined): Row =>
  counted === undefined || counted.usageCount <= row.usageCount
    ? row
    : { ...row, usageCount: counted.usageCount, lastUsedAt: counted.lastUsedAt }

export const LIBRARY_FILE = 'library.json'
export const LIBRARY_FORMAT = 1

export type CopiedRows = Record<AnyLibraryPart['key'], readonly object[]> & { settings: object }

export type LibraryCopy = CopiedRows & { revision: number; webhookKey: string | null }

export const writeCopy = (store: Store, copy: LibraryCopy): Promise<void> =>
  store.write(LIBRARY_FILE, textOf(copy))

/** Rows per chunk, about ten kilobytes. */
const ROWS_A_PIECE = 50

/** One row per line. */
function* textOf({ revision, settings, webhookKey, ...lists }: LibraryCopy): Generator<string> {
  const head = { format: LIBRARY_FORMAT, revision, settings, webhookKey }
  yield JSON.stringify(head, null, 2).slice(0, -'\n}'.length)
  for (const [key, rows] of Object.entries(lists)) {
    yield `,\n  "${key}": [`
    for (let from = 0; from < rows.length; from += ROWS_A_PIECE) {
      const lines = rows.slice(from, from + ROWS_A_PIECE).map((row) => `    ${JSON.stringify(row)}`)
      yield `${from === 0 ? '\n' : ',\n'}${lines.join(',\n')}`
    }
    yield '\n  ]'
  }
  yield '\n}\n'
}

/** The object in a JSON file; null if there is no file. Throws a SyntaxError if it holds something else. */
export async function readObject(path: string): Promise<Record<string, unknown> | null> {
  const bytes = await readFile(path).catch(nullIfMissing)
  return bytes === null ? null : objectIn(bytes)
}

/** Throws a SyntaxError if it is no object in JSON. */
export function objectIn(bytes: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(textIn(bytes))
  if (!isObject(value)) throw new SyntaxError('it holds no object')
  return value
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textIn(bytes: Uint8Array): string {
  try {
    // Unlike readFile's own decoding, it drops a byte order mark and rejects invalid UTF-8.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new SyntaxError('it is not UTF-8')
  }
}

const TABLES = { dictionary: dictionaryTable, writingStyles: writingStyleTable, commands: savedCommandTable }

type Deps = { database: Database; store: Store }

/** A copy that is known to be behind is no difference: the next start writes it. */
export async function verifyLibrary({ database, store }: Deps) {
  const differences: string[] = []
  let rows = 0
  const library = await database.run(findLibrary)
  if (library === null || library.copiedRevision !== library.revision) return { rows, differences }
  const bytes = await store.read(LIBRARY_FILE)
  const copy = bytes === null ? null : await Promise.try(objectIn, bytes).catch(() => null)
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
