// The moments of a recorded run at which the power is cut, and the disk states that result.

import { DATABASE_STATES, type DatabaseState, databaseAs } from './database-states.ts'
import { createModelDisk, type Snapshot, SURVIVALS, type Survival } from './model-disk.ts'
import type { RecordedRun } from './record-run.ts'
import type { Acknowledgement } from './scenario.ts'

export type Moment = {
  /** line of the recording: everything before it has happened */
  line: number
  what: string
  isAcknowledgement: boolean
  acknowledged: Acknowledgement[]
  /** the request without a response yet */
  under: Acknowledgement | null
  /** part of an only copy was synced during its upload */
  isPartSynced: boolean
}

export type State = Omit<Moment, 'line'> & { survival: Survival; database: DatabaseState; files: Snapshot }

const DATABASE = /^postgres-\d+\//
/** Also the name of uploads with a Content-Length, which the client can repeat. */
const ARRIVING = /^inbox\/.*\.audio$/

/** At each acknowledging response, and after each sync. */
export function momentsOf({ answers, acknowledged, steps }: RecordedRun): Moment[] {
  const lineOf = ({ answer }: Acknowledgement) => {
    const line = answers[answer - 1]
    if (line === undefined)
      throw new Error(`response ${answer} is not in the recording, which has ${answers.length}`)
    return line
  }
  const at = (line: number) => {
    const known = acknowledged.filter((one) => lineOf(one) <= line)
    return { line, acknowledged: known, under: acknowledged[known.length] ?? null }
  }
  const left = acknowledged.map((one) => ({
    ...at(lineOf(one)),
    what: `as ${one.what} was acknowledged`,
    isAcknowledgement: true,
    isPartSynced: false,
  }))
  const first = answers[0]!
  const syncs = steps
    .filter(({ synced, line }) => synced !== undefined && line > first)
    .map(({ line, synced }) => {
      const known = at(line + 1)
      return {
        ...known,
        what: `after a sync of ${synced === '' ? 'the data folder' : synced}`,
        isAcknowledgement: false,
        isPartSynced: ARRIVING.test(synced!) && known.under?.upload === 'part',
      }
    })
  return [...left, ...syncs].toSorted((one, other) => one.line - other.line)
}

type Making = {
  run: RecordedRun
  moments: Moment[]
  chance: () => number
  /** selects states by their index */
  isTried: (index: number) => boolean
}

export const countStates = (moments: Moment[]): number =>
  moments.reduce((sum, moment) => sum + combinations(moment, 0).length, 0)

/** At each acknowledgement every combination; at each sync the durable database with one survival in turn. */
export function* statesOf({ run, moments, chance, isTried }: Making): Generator<State> {
  const disk = createModelDisk(run.before)
  const steps = run.steps.values()
  let next = steps.next()
  let index = 0
  for (const [turn, moment] of moments.entries()) {
    for (; !next.done && next.value.line < moment.line; next = steps.next()) next.value.apply(disk)
    const combined = combinations(moment, turn).map(([survival, database]) => ({ survival, database }))
    const tried = combined.filter(() => isTried(index++))
    if (tried.length === 0) continue
    for (const { survival, database } of tried) {
      const all = [...disk.survive(survival, chance)]
      const left = new Map(all.filter(([path]) => DATABASE.test(path)))
      const files = new Map([
        ...all.filter(([path]) => !DATABASE.test(path)),
        ...databaseAs(database, left, chance),
      ])
      const what = `${moment.what}, ${survival}, database ${database}`
      yield { ...moment, what, survival, database, files }
    }
  }
}

function combinations({ isAcknowledgement }: Moment, turn: number): [Survival, DatabaseState][] {
  if (!isAcknowledgement) return [[SURVIVALS[turn % SURVIVALS.length]!, 'durable']]
  return DATABASE_STATES.flatMap((database) =>
    SURVIVALS.map((survival): [Survival, DatabaseState] => [survival, database]),
  )
}
