// How much audio a batch still has to transcribe, and how fast recent transcriptions were.

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { UNFINISHED_ITEMS } from './batches.ts'
import { type Orm, returnedRows } from './database.ts'
import { batchItems, captures } from './schema.ts'

/** Milliseconds of audio; captures that were never decoded count as zero. */
export async function remainingAudioMs(orm: Orm, batchId: string): Promise<number> {
  const [row] = await orm
    .select({ ms: sql<number>`coalesce(sum(${captures.durationMs}), 0)::float8` })
    .from(batchItems)
    .innerJoin(captures, eq(captures.id, batchItems.captureId))
    .where(and(eq(batchItems.batchId, batchId), inArray(batchItems.state, UNFINISHED_ITEMS)))
  return row?.ms ?? 0
}

export type Speed = { audioMs: number; workMs: number }

/** How many of the newest captures, or of those that a batch has done, are measured. */
const LOOKED_AT = 500
const MEASURED = 50

/** Of the newest captures, with a model only of those that it transcribed. Null if there are none. */
export async function measuredSpeed(orm: Orm, model: string | null): Promise<Speed | null> {
  const recent = sql`select ${columns} from ${captures} order by ${captures.createdAt} desc limit ${LOOKED_AT}`
  return speedOf(orm, recent, model === null ? sql`true` : sql`stt_model = ${model}`)
}

/** Of the captures that a batch has done. */
export async function speedOfBatch(orm: Orm, batchId: string): Promise<Speed | null> {
  const done = sql`select ${columns} from ${captures} where ${captures.id} in (select ${batchItems.captureId} from ${batchItems} where ${batchItems.batchId} = ${batchId} and ${batchItems.state} = 'completed' limit ${LOOKED_AT})`
  return speedOf(orm, done, sql`true`)
}

const columns = sql.raw(`status, duration_ms, stt_model, created_at,
  (processing_ms->>'decode')::float8 + (processing_ms->>'transcribe')::float8 as work_ms`)

async function speedOf(orm: Orm, from: SQL, which: SQL): Promise<Speed | null> {
  const measured = sql`select duration_ms, work_ms from (${from}) as found where ${which} and status = 'completed' and duration_ms > 0 and work_ms is not null order by created_at desc limit ${MEASURED}`
  const sums = sql`select sum(duration_ms)::float8 as audio_ms, sum(work_ms)::float8 as work_ms from (${measured}) as measured`
  const [row] = returnedRows<SpeedRow>(await orm.execute(sums))
  return row?.audio_ms ? { audioMs: row.audio_ms, workMs: row.work_ms ?? 0 } : null
}

type SpeedRow = { audio_ms: number | null; work_ms: number | null }
