// Selects many captures: those of some ids, or all that a filter matches now.

import { idsMeant, idsThere } from '../../db/capture-ids.ts'
import type { Database } from '../../db/database.ts'
import { type CapturesMeant, captureConditions } from './list-captures.ts'

export type CaptureSelection = { ids: string[] } | { meant: CapturesMeant }

/** Ids are held in memory, 100 bytes each. `missing` are the requested ids that do not exist. */
export async function idsOf(
  database: Database,
  which: CaptureSelection,
): Promise<{ ids: string[]; missing: string[] }> {
  if ('meant' in which)
    return { ids: await database.run((orm) => idsMeant(orm, captureConditions(which.meant))), missing: [] }
  const wanted = [...new Set(which.ids.map((id) => id.toLowerCase()))]
  const ids = await database.run((orm) => idsThere(orm, wanted))
  const there = new Set(ids)
  return { ids, missing: wanted.filter((id) => !there.has(id)) }
}
