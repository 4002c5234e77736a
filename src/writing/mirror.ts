// What a person taught the server, in a plain file that survives a power cut and can be read and copied by hand.
// Knows nothing of what the rows mean, and does not decide when they are written: each store does.

import { readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Kind, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { TransformDecodeCheckError, Value } from '@sinclair/typebox/value'
import type { Database, Orm } from '../../db/database.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { syncFolder, writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { isMissing } from '../lib/missing-file.ts'

/** A moment in a row: text in the file, a Date in memory. No database knows the year 0. */
const mirroredMoment = () =>
  Type.Transform(Type.String({ pattern: '^(?!0000)\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }))
    .Decode((text) => {
      const moment = new Date(text)
      if (Number.isNaN(moment.getTime())) throw new Error('there is no such moment')
      return moment
    })
    .Encode((moment) => moment.toISOString())

/** The schema of a row as it stands in the file. */
const mirrored = ({ properties, ...schema }: TObject) => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, withMoments(property)]),
  ),
})

function withMoments(schema: TSchema): TSchema {
  if (schema[Kind] === 'Date') return mirroredMoment()
  return schema.anyOf ? Type.Union(schema.anyOf.map(withMoments)) : schema
}

export type Mirror<Row> = {
  /** null where there is no file, or where it was not one of ours and has been moved aside */
  read(): Promise<Row[] | null>
  /** resolves when the rows would survive a power cut */
  write(rows: readonly Row[]): Promise<void>
  /** Writes the rows of before a change that failed; when that fails too, the log has why. Never throws. */
  putBack(rows: readonly Row[]): Promise<void>
}

type MirrorDeps<S extends TObject> = {
  path: string
  /** of one row; keys that it does not name are left out */
  schema: S
  log: Log
  clock?: Clock
}

type Mirrored<Row> = { database: Database; mirror: Pick<Mirror<Row>, 'write' | 'putBack'> }

/**
 * Changes file and rows together: durable in the file before the database commits. A file whose commit failed is put
 * back, as well as can be, and the failure goes on.
 */
export async function commitMirrored<Row>(
  { database, mirror }: Mirrored<Row>,
  { before, next }: { before: readonly Row[]; next: readonly Row[] },
  saveRows: (tx: Orm) => Promise<void>,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await saveRows(tx)
      await mirror.write(next)
    })
  } catch (error) {
    await mirror.putBack(before)
    throw error
  }
}

/** As many as make a piece of some ten kilobytes. */
const ROWS_A_PIECE = 50

function* fileOf(rows: readonly unknown[]): Generator<string> {
  yield '{"format": 1, "rows": [\n'
  for (let from = 0; from < rows.length; from += ROWS_A_PIECE) {
    const lines = rows.slice(from, from + ROWS_A_PIECE).map((row) => JSON.stringify(row))
    yield `${from === 0 ? '' : ',\n'}${lines.join(',\n')}`
  }
  yield '\n]}\n'
}

/** A file `{"format": 1, "rows": […]}`, a row on each line. */
export function createMirror<S extends TObject>(deps: MirrorDeps<S>): Mirror<Static<S>> {
  const { path, log } = deps
  const schema = mirrored(deps.schema)
  const compiled = TypeCompiler.Compile(Type.Object({ format: Type.Literal(1), rows: Type.Array(schema) }))

  const write = async (rows: readonly Static<S>[]): Promise<void> => {
    await writeFileDurably(path, fileOf(rows))
  }

  return {
    async read() {
      const bytes = await readIfThere(path)
      if (bytes === null) return null
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        const { rows } = compiled.Decode(JSON.parse(text))
        return rows.map((row) => Value.Clean(schema, row) as Static<S>)
      } catch (error) {
        await moveAside(deps, reasonOf(error))
        return null
      }
    },
    write,
    async putBack(rows) {
      await write(rows).catch((error: unknown) =>
        log.error(
          { path, reason: String(error) },
          'a change that failed could not be taken back in this file',
        ),
      )
    },
  }
}

/** Where the checker knows which value is wrong, that; never the value. */
function reasonOf(error: unknown): string {
  const cause = error instanceof TransformDecodeCheckError ? error.error : null
  return cause === null ? String(error) : `${cause.path || 'the whole'}: ${cause.message}`
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Never removed: somebody may have spoiled it by hand, and wants to mend it. */
async function moveAside(
  { path, log, clock = systemClock }: MirrorDeps<TObject>,
  reason: string,
): Promise<void> {
  const aside = `${path}.spoiled-${clock().toISOString().replaceAll(':', '-')}`
  await rename(path, aside)
  await syncFolder(dirname(path))
  log.warn({ path, aside, reason }, 'this file is not as this program writes it; it was moved aside')
}
