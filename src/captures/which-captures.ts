// Many captures at once: those of some ids, or all that a filter means at this moment.
// What is done with them is for the callers.

import { idsMeant, idsThere } from '../../db/capture-ids.ts'
import type { Database } from '../../db/database.ts'
import { type CapturesMeant, captureConditions } from './list-captures.ts'

export type CaptureSelection = { ids: string[] } | { meant: CapturesMeant }

/** Ids are kept in memory, 100 bytes each. `missing` are those asked for that are not there. */
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
