// How long a batch takes: what is left of its audio, at the speed that was measured.
// An estimate for people; nothing waits for it.

import { measuredSpeed, remainingAudioMs, type Speed, speedOfBatch } from '../../db/batch-speed.ts'
import type { Orm } from '../../db/database.ts'
import type { BatchPlan } from './batch.ts'

type Estimate = Pick<BatchPlan, 'audioSeconds' | 'realTimeFactor' | 'measuredWith' | 'estimateSeconds'>

/** By what the batch has done; before that by what the model did lately, and before that by any other model. */
export async function estimateBatch(orm: Orm, batchId: string, model: string): Promise<Estimate> {
  const audioMs = await remainingAudioMs(orm, batchId)
  const own = (await speedOfBatch(orm, batchId)) ?? (await measuredSpeed(orm, model))
  const speed = own ?? (await measuredSpeed(orm, null))
  const realTimeFactor = speed && factorOf(speed)
  return {
    audioSeconds: audioMs / 1000,
    realTimeFactor,
    measuredWith: speed && (own ? 'this_model' : 'other_models'),
    estimateSeconds: realTimeFactor === null ? null : Math.ceil((audioMs / 1000) * realTimeFactor),
  }
}

/** Three places: more would be noise. */
const factorOf = ({ audioMs, workMs }: Speed): number => Math.round((workMs / audioMs) * 1000) / 1000
