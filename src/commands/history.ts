// The command history: newest first, capped, and deleted on the user's request.
// It is stored only in the database; a rebuilt database starts with an empty history.

import { addCommandRun, deleteCommandRuns, listCommandRuns } from '../../db/commands.ts'
import type { Database } from '../../db/database.ts'
import { removeQuarantined } from '../../db/quarantine.ts'
import type { CommandRunRow } from '../../db/writing-schema.ts'
import { withDiskReserve } from '../lib/disk-space.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import type { RunOutcome } from './command-run.ts'

const MAX_RUNS = 1000

export type CommandHistory = {
  list(page: { limit: number; offset: number }): Promise<{ items: RunOutcome[]; total: number }>
  /** Never throws: the command has already run, even if it cannot be added to the history. */
  add(outcome: RunOutcome): Promise<void>
  /** Returns how many runs it deleted; works on a full disk too. */
  clear(): Promise<number>
}

type Deps = { database: Database; dataFolder: string; log: Log; maxRuns?: number }

export function createCommandHistory(deps: Deps): CommandHistory {
  const { database, dataFolder, log, maxRuns = MAX_RUNS } = deps
  const inTurn = createKeyedLock()
  return {
    async list(page) {
      const { rows, total } = await database.run((orm) => listCommandRuns(orm, page))
      return { items: rows.map(outcomeOf), total }
    },
    async add(outcome) {
      try {
        await inTurn('history', () =>
          database.transaction((tx) => addCommandRun(tx, rowOf(outcome), { keep: maxRuns })),
        )
      } catch (error) {
        log.warn({ runId: outcome.id, reason: String(error) }, 'could not add a command run to the history')
      }
    },
    clear: () =>
      inTurn('history', () =>
        withDiskReserve(dataFolder, async () => {
          await removeQuarantined(dataFolder)
          return database.run((orm) => deleteCommandRuns(orm))
        }),
      ),
  }
}

const rowOf = ({ id, createdAt, ...outcome }: RunOutcome) => ({ id, createdAt, outcome })

/** The cast is safe: all rows come from rowOf. */
const outcomeOf = ({ id, createdAt, outcome }: CommandRunRow): RunOutcome => ({
  ...(outcome as Omit<RunOutcome, 'id' | 'createdAt'>),
  id,
  createdAt,
})
