// Fills a database without a library in one transaction: from library.json, otherwise from the files of earlier
// versions, otherwise from its own tables. A first start, a repair and a rebuild all begin with the user's entries.

import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Kind, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { TransformDecodeCheckError, Value } from '@sinclair/typebox/value'
import { deleteCommandRuns } from '../../db/commands.ts'
import type { Database, Orm } from '../../db/database.ts'
import { insertLibrary } from '../../db/library.ts'
import type { LibraryRow } from '../../db/writing-schema.ts'
import type { Clock } from '../lib/clock.ts'
import { removeDurably, syncFile, syncFolder, writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { readSecret } from '../lib/secret-file.ts'
import { inBatches } from '../lib/time-slice.ts'
import type { Store } from '../store/store.ts'
import { type AnyLibraryPart, isObject, LIBRARY_FILE, LIBRARY_FORMAT, readObject, withUses } from './copy.ts'

const SETTINGS_FILE = 'settings.json'
/** the settings before their last change */
const EARLIER_SETTINGS_FILE = 'settings.previous.json'
const WEBHOOK_SECRET_FILE = 'webhook-secret'
const COMMAND_HISTORY_FILE = 'command-history.json'
/** the history of commands was cleared up to this number */
const ClearedRunsSchema = Type.Object({ forgotten: Type.Integer({ minimum: 0 }) })

const FILES = [SETTINGS_FILE, EARLIER_SETTINGS_FILE, WEBHOOK_SECRET_FILE, COMMAND_HISTORY_FILE]

export async function removeEarlierFiles(
  dataFolder: string,
  parts: readonly AnyLibraryPart[],
): Promise<void> {
  for (const name of [...parts.map(({ earlierFile }) => earlierFile), ...FILES]) {
    const path = join(dataFolder, name)
    if (existsSync(path)) await removeDurably(path)
  }
}

/**
 * For a command that opens no database: the settings from the copy, or from an earlier version's file; empty if neither
 * exists.
 */
export async function settingsInFiles(dataFolder: string): Promise<Record<string, unknown>> {
  const copy = await readObject(join(dataFolder, LIBRARY_FILE)).catch(() => null)
  if (isObject(copy?.settings)) return copy.settings
  return (await readObject(join(dataFolder, SETTINGS_FILE)).catch(() => null)) ?? {}
}

/** No database accepts the year 0. */
const momentInFile = () =>
  Type.Transform(Type.String({ pattern: '^(?!0000)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }))
    .Decode((text) => {
      const moment = new Date(text)
      if (Number.isNaN(moment.getTime())) throw new Error('not a valid time')
      return moment
    })
    .Encode((moment) => moment.toISOString())

const inFile = ({ properties, ...schema }: TObject): TObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, withMoments(property)]),
  ),
})

function withMoments(schema: TSchema): TSchema {
  if (schema[Kind] === 'Date') return momentInFile()
  return schema.anyOf ? Type.Union(schema.anyOf.map(withMoments)) : schema
}

/** Drops unknown keys. Throws a SyntaxError if a row is wrong, with its position but never its content. */
function readRows(schema: TObject, written: unknown): unknown[] {
  const rows = Type.Array(inFile(schema))
  try {
    return Value.Decode(rows, Value.Clean(rows, written)) as unknown[]
  } catch (error) {
    const cause = error instanceof TransformDecodeCheckError ? error.error : null
    throw new SyntaxError(cause === null ? String(error) : `${cause.path || 'the list'}: ${cause.message}`)
  }
}

export type LibraryDeps = {
  database: Database
  dataFolder: string
  store: Store
  parts: readonly AnyLibraryPart[]
  clock: Clock
  log: Log
}

type Moved = Omit<LibraryRow, 'id' | 'rows'>

type Found = Moved & {
  /** by the key of their part; a missing part keeps the rows of its table */
  rows: ReadonlyMap<string, readonly Row[]>
  /** runs of commands up to this number were cleared */
  clearedRuns: number
}

const ROWS_AT_ONCE = 500

type Row = { id: string; isDefault?: boolean; forgotten?: number }

export async function moveIn(deps: LibraryDeps): Promise<Moved> {
  const { rows, clearedRuns, ...library } = (await fromCopy(deps)) ?? (await fromEarlierFiles(deps))
  await deps.database.transaction(async (tx) => {
    for (const part of deps.parts) await fill(tx, part, rows.get(part.key) ?? null, deps.clock())
    await deleteCommandRuns(tx, clearedRuns)
    await insertLibrary(tx, library)
  })
  return library
}

async function fill(tx: Orm, part: AnyLibraryPart, written: readonly Row[] | null, now: Date): Promise<void> {
  const stored = (await part.table.list(tx)).map(part.fromStored)
  const counted = new Map(stored.map((row) => [row.id, row]))
  const rows = (written ?? stored).map((row) => withUses(row, counted.get(row.id)))
  await part.table.clear(tx)
  await inBatches(part.settle(rows, now), ROWS_AT_ONCE, (some) =>
    part.table.save(tx, some.map(part.toStored)),
  )
}

/** The copy of a shared store, as a file of the data folder. */
async function localCopy({ dataFolder, store }: LibraryDeps): Promise<string> {
  const path = join(dataFolder, LIBRARY_FILE)
  const bytes = store.address === null ? null : await store.read(LIBRARY_FILE)
  if (bytes !== null) await writeFileDurably(path, bytes)
  return path
}

/** Null if there is no readable copy. An invalid part of it loses only that part. */
async function fromCopy(deps: LibraryDeps): Promise<Found | null> {
  const path = await localCopy(deps)
  const copy = await readWhole(path, deps)
  if (copy === null) return null
  const rows = new Map<string, Row[]>()
  const faults: string[] = []
  for (const { key, schema } of deps.parts) {
    try {
      rows.set(key, readRows(schema, copy[key]) as Row[])
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      faults.push(`${key}: ${error.message}`)
    }
  }
  const { revision: copied, settings, webhookKey } = copy
  if (!isObject(settings)) faults.push('settings: no object')
  if (faults.length > 0) await renameUnreadable(path, faults.join('; '), deps)
  const copiedRevision = Number.isSafeInteger(copied) ? Number(copied) : 0
  return {
    // One higher, since the copy may have been edited: it is written again.
    revision: copiedRevision + 1,
    copiedRevision,
    settings: isObject(settings) ? settings : {},
    webhookKey: typeof webhookKey === 'string' ? webhookKey : null,
    rows,
    clearedRuns: 0,
  }
}

async function fromEarlierFiles(deps: LibraryDeps): Promise<Found> {
  const rows = new Map<string, Row[]>()
  for (const { key, earlierFile, schema } of deps.parts) {
    const found = await readEarlierRows(earlierFile, schema, deps)
    if (found !== null) rows.set(key, found)
  }
  const [history] = (await readEarlierRows(COMMAND_HISTORY_FILE, ClearedRunsSchema, deps)) ?? []
  const inFolder = (name: string) => join(deps.dataFolder, name)
  const { unfinishedDefaultStyle, ...settings } =
    (await readWhole(inFolder(SETTINGS_FILE), deps)) ??
    (await readWhole(inFolder(EARLIER_SETTINGS_FILE), deps)) ??
    {}
  const styles = rows.get('writingStyles')
  if (styles !== undefined && typeof unfinishedDefaultStyle === 'string')
    rows.set('writingStyles', withDefault(styles, unfinishedDefaultStyle))
  return {
    revision: 1,
    copiedRevision: null,
    settings,
    webhookKey: (await readSecret(inFolder(WEBHOOK_SECRET_FILE))) || null,
    rows,
    clearedRuns: history?.forgotten ?? 0,
  }
}

/** A crash came between the settings and the default style that was chosen with them. */
const withDefault = (styles: readonly Row[], chosen: string): Row[] =>
  styles.map((style) => {
    const isDefault = style.id === chosen
    return { ...style, isDefault, ...(isDefault && { enabled: true }) }
  })

/** Null if there is no such file, or if it was invalid and was copied aside. */
async function readEarlierRows(name: string, schema: TObject, deps: LibraryDeps): Promise<Row[] | null> {
  const path = join(deps.dataFolder, name)
  const file = await readWhole(path, deps)
  if (file === null) return null
  try {
    return readRows(schema, file.rows) as Row[]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    await renameUnreadable(path, error.message, deps)
    return null
  }
}

async function readWhole(path: string, deps: LibraryDeps): Promise<Record<string, unknown> | null> {
  try {
    const file = await readObject(path)
    if (file !== null && 'format' in file && file.format !== LIBRARY_FORMAT)
      throw new SyntaxError('it has another format')
    return file
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    await renameUnreadable(path, String(error), deps)
    return null
  }
}

/** Saved for a user who wants to repair it. A copy, so that an interrupted start still finds the original. */
async function renameUnreadable(path: string, reason: string, { clock, log }: LibraryDeps): Promise<void> {
  const aside = `${path}.spoiled-${clock().toISOString().replaceAll(':', '-')}`
  await copyFile(path, aside)
  await syncFile(aside)
  await syncFolder(dirname(path))
  log.warn({ path, aside, reason }, 'this file is invalid; saved a copy of it')
}
