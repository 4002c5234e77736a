// Moves the batches of an earlier version from `batches/<id>.json` into the database. Each file is removed once its
// batch is committed; the next start completes an interrupted move.

import { existsSync } from 'node:fs'
import { readdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import {
  changeItems,
  endBatchIfDone,
  findBatch,
  insertBatch,
  insertItems,
  settleItems,
} from '../../db/batches.ts'
import { type BatchRow, batches } from '../../db/schema.ts'
import { readRecord } from '../captures/record.ts'
import { removeDurably, sweepUnfinished } from '../lib/durable.ts'
import { oneOf } from '../lib/schema.ts'
import { jsonMoment } from '../lib/schema-mapping.ts'
import { isId } from '../lib/uuid.ts'
import { type BatchDeps, CAPTURE_GONE, cancelBatch } from './batch-work.ts'

const OldBatch = Type.Object({
  format: Type.Literal(1),
  id: Type.String(),
  kind: oneOf(batches.kind.enumValues),
  state: oneOf(['running', 'canceled']),
  request: Type.Record(Type.String(), Type.Unknown()),
  createdAt: jsonMoment(),
  captureIds: Type.Array(Type.String()),
})
type OldBatch = Static<typeof OldBatch>

const FOLDER = 'batches'
const EXTENSION = '.json'

/** Call it before any batch is worked on. */
export async function moveOldBatches(deps: BatchDeps): Promise<void> {
  const folder = join(deps.dataFolder, FOLDER)
  if (!existsSync(folder)) return
  sweepUnfinished(folder, { shared: false })
  const isOldBatch = TypeCompiler.Compile(OldBatch)
  for (const name of (await readdir(folder)).toSorted()) {
    const id = name.slice(0, -EXTENSION.length)
    if (!name.endsWith(EXTENSION) || !isId(id)) continue
    const path = join(folder, name)
    const old = parsed(await readFile(path, 'utf8'))
    if (isOldBatch.Check(old) && old.id === id && old.captureIds.every(isId)) {
      await moveOne(deps, old)
      await removeDurably(path)
    } else
      deps.log.error(
        { batchId: id, path },
        'could not resume a batch: its file is invalid and was left unchanged',
      )
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder)
}

async function moveOne(deps: BatchDeps, old: OldBatch): Promise<void> {
  const { database, dataFolder, clock, log } = deps
  const { id } = old
  if (old.state === 'canceled') {
    await cancelBatch(deps, id)
    return
  }
  await database.transaction(async (tx) => {
    const row = await findBatch(tx, id)
    if (row !== null && row.state !== 'running') return
    if (row === null) await insertBatch(tx, rowOf(old))
    await insertItems(tx, { batchId: id, captureIds: old.captureIds, missing: CAPTURE_GONE })
    if (row === null)
      await changeItems(tx, { batchId: id, captureIds: doneIn(dataFolder, old), state: 'completed' })
    await settleItems(tx, id)
    await endBatchIfDone(tx, id, clock())
  })
  log.info({ batchId: id }, 'moved the file of a batch into the database')
}

/** The captures whose records name this batch as done. */
const doneIn = (dataFolder: string, { id, captureIds }: OldBatch): string[] =>
  captureIds.filter((captureId) => {
    const record = readRecord(dataFolder, captureId)
    return record !== null && record !== 'unreadable' && record.state === 'kept' && record.lastBatchId === id
  })

const rowOf = ({ id, kind, request, createdAt }: OldBatch): BatchRow => ({
  id,
  kind,
  state: 'running',
  request,
  createdAt: new Date(createdAt),
  finishedAt: null,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
