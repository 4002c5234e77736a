// The log of what commands did: newest first, capped, to be cleared by the person whose texts are in it.
// It stands in the database alone and may be lost with it; what is forgotten is in a file (run-numbers.ts) and stays so.

import { addCommandRun, deleteCommandRuns, listCommandRuns, newestCommandRun } from '../../db/commands.ts'
import type { Database } from '../../db/database.ts'
import { removeSetAside } from '../../db/set-aside.ts'
import type { CommandRunRow } from '../../db/writing-schema.ts'
import { withBallast } from '../lib/ballast.ts'
import type { Clock } from '../lib/clock.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import type { Log } from '../lib/log.ts'
import type { RunOutcome } from './command-run.ts'
import { openRunNumbers } from './run-numbers.ts'

const MAX_RUNS = 1000

export type CommandHistory = {
  list(page: { limit: number; offset: number }): Promise<{ items: RunOutcome[]; total: number }>
  /** Never throws: a run that is not in the log has still been done. */
  add(outcome: RunOutcome): Promise<void>
  /** how many were forgotten; works on a full disk, too */
  clear(): Promise<number>
}

type Deps = { database: Database; dataFolder: string; clock: Clock; log: Log; maxRuns?: number }

export async function openCommandHistory({
  database,
  maxRuns = MAX_RUNS,
  ...deps
}: Deps): Promise<CommandHistory> {
  const { dataFolder, log } = deps
  const inTurn = createKeyedLock()
  const numbers = await openRunNumbers(deps, await database.run(newestCommandRun))
  const removeForgotten = () => database.run((orm) => deleteCommandRuns(orm, numbers.forgottenTo()))
  await removeForgotten()

  return {
    async list(page) {
      const { rows, total } = await database.run((orm) => listCommandRuns(orm, page))
      return { items: rows.map(outcomeOf), total }
    },
    async add(outcome) {
      try {
        await inTurn('history', async () => {
          const row = rowOf(outcome, await numbers.next())
          numbers.noteTrimmed(await database.transaction((tx) => addCommandRun(tx, row, { keep: maxRuns })))
        })
      } catch (error) {
        log.warn({ runId: outcome.id, reason: String(error) }, 'what a command did is not in its log')
      }
    },
    clear: () =>
      inTurn('history', () =>
        withBallast(dataFolder, async () => {
          await removeSetAside(dataFolder)
          await numbers.forgetAll()
          return removeForgotten()
        }),
      ),
  }
}

const rowOf = ({ id, createdAt, ...outcome }: RunOutcome, number: number): CommandRunRow => ({
  id,
  number,
  createdAt,
  outcome,
})

/** Rows are written by rowOf alone. */
const outcomeOf = ({ id, createdAt, outcome }: CommandRunRow): RunOutcome => ({
  ...(outcome as Omit<RunOutcome, 'id' | 'createdAt'>),
  id,
  createdAt,
})
