// The log of what commands did: newest first, capped, to be cleared by the person whose texts are in it.
// Not a capture and not in the statistics.

import { addCommandRun, deleteCommandRuns, listCommandRuns } from '../../db/commands.ts'
import type { Database } from '../../db/database.ts'
import type { CommandRunRow } from '../../db/writing-schema.ts'
import type { Log } from '../lib/log.ts'
import type { RunOutcome } from './command-run.ts'

const MAX_RUNS = 1000

export type CommandHistory = {
  list(page: { limit: number; offset: number }): Promise<{ items: RunOutcome[]; total: number }>
  /** Never throws: a run that is not in the log has still been done. */
  add(outcome: RunOutcome): Promise<void>
  /** how many were forgotten */
  clear(): Promise<number>
}

type Deps = { database: Database; log: Log; maxRuns?: number }

export const createCommandHistory = ({ database, log, maxRuns = MAX_RUNS }: Deps): CommandHistory => ({
  async list(page) {
    const { rows, total } = await database.run((orm) => listCommandRuns(orm, page))
    return { items: rows.map(outcomeOf), total }
  },
  async add(outcome) {
    try {
      await database.transaction((tx) => addCommandRun(tx, rowOf(outcome), { keep: maxRuns }))
    } catch (error) {
      log.warn({ runId: outcome.id, reason: String(error) }, 'what a command did is not in its log')
    }
  },
  clear: () => database.run(deleteCommandRuns),
})

const rowOf = ({ id, createdAt, ...outcome }: RunOutcome): CommandRunRow => ({ id, createdAt, outcome })

/** Rows are written by rowOf alone. */
const outcomeOf = ({ id, createdAt, outcome }: CommandRunRow): RunOutcome => ({
  ...(outcome as Omit<RunOutcome, 'id' | 'createdAt'>),
  id,
  createdAt,
})
