// A file for each batch that was promised and is not over: the embedded database alone may forget it in a power cut.
// What a batch does to its captures is not written here; their own records tell.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { BatchRow } from '../../db/schema.ts'
import { namesIn, removeUnfinished } from '../captures/folder-listing.ts'
import { withBallast } from '../lib/ballast.ts'
import { makeFolder, removeDurably, writeFileDurably } from '../lib/durable.ts'
import { jsonMoment } from '../lib/entity.ts'
import type { Log } from '../lib/log.ts'
import { oneOf } from '../lib/schema.ts'
import { isId } from '../lib/uuid.ts'
import { BATCH_KINDS } from './batch.ts'

export type BatchFiles = {
  /** all that is promised; durable when it resolves */
  keep(row: BatchRow, captureIds: string[]): Promise<void>
  /** what is left of it is not to be done, whatever the database remembers; works on a full disk, too */
  noteCanceled(row: BatchRow): Promise<void>
  /** when it is over, and when it is forgotten */
  remove(id: string): Promise<void>
  /** whether it was promised and is not over; also where its file is spoiled */
  has(id: string): boolean
  /** oldest first */
  read(): Promise<KeptBatch[]>
}

export type KeptBatch = Pick<BatchRow, 'id' | 'kind' | 'request' | 'createdAt'> & {
  state: 'running' | 'canceled'
  captureIds: string[]
}

const Stored = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  kind: oneOf(BATCH_KINDS),
  state: oneOf(['running', 'canceled']),
  request: Type.Record(Type.String(), Type.Unknown()),
  createdAt: jsonMoment(),
  captureIds: Type.Array(Type.String()),
})

const FOLDER = 'batches'
const EXTENSION = '.json'

export function createBatchFiles({ dataFolder, log }: { dataFolder: string; log: Log }): BatchFiles {
  const folder = join(dataFolder, FOLDER)
  const stored = TypeCompiler.Compile(Stored)
  const pathOf = (id: string) => join(folder, `${id}${EXTENSION}`)

  async function write(row: BatchRow, state: KeptBatch['state'], captureIds: string[]): Promise<void> {
    const { id, kind, request, createdAt } = row
    const file = { format: 1, id, kind, state, request, createdAt, captureIds }
    await makeFolder(folder)
    await writeFileDurably(pathOf(id), `${JSON.stringify(file)}\n`)
  }

  async function readOne(id: string): Promise<KeptBatch | null> {
    const value = parsed(await readFile(pathOf(id), 'utf8'))
    if (stored.Check(value) && value.id === id && value.captureIds.every(isId)) return keptBatchOf(value)
    log.error(
      { batchId: id },
      'the file of a batch is spoiled; it is left as it is, and the batch is not put back',
    )
    return null
  }

  return {
    keep: (row, captureIds) => write(row, 'running', captureIds),
    noteCanceled: (row) => withBallast(dataFolder, () => write(row, 'canceled', [])),
    remove: (id) => removeDurably(pathOf(id)),
    has: (id) => existsSync(pathOf(id)),
    async read() {
      await removeUnfinished(folder)
      const names = (await namesIn(folder)).filter((name) => name.endsWith(EXTENSION)).toSorted()
      const ids = names.map((name) => name.slice(0, -EXTENSION.length)).filter(isId)
      return (await Promise.all(ids.map(readOne))).filter((batch) => batch !== null)
    },
  }
}

const keptBatchOf = ({ createdAt, format: _ours, ...rest }: Static<typeof Stored>): KeptBatch => ({
  ...rest,
  createdAt: new Date(createdAt),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
