// Simulates a power cut at every moment of a recorded run: only synced data survives, including the database's. The server
// starts on the result, and every acknowledged change must be there.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownTable, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { tidyWhenInterrupted } from '../support/interrupted.ts'
import { createRandom } from '../support/random.ts'
import { whyNoStrace } from '../support/system-calls.ts'
import { judge } from './after-the-cut.ts'
import { DATABASE_STATES } from './database-states.ts'
import { SURVIVALS } from './model-disk.ts'
import { countStates, momentsOf, type State, statesOf } from './moments.ts'
import { recordRun } from './record-run.ts'

const AT_ONCE = 2
/** Two thirds of them have the durable database. */
const FULL_STATES = 460
const SHORT_STATES = 6
/** Fewer are not representative enough for RELIABILITY.md. */
const REPORTED_STATES = 300

const USAGE = `usage: npm run torture -- powercut [--states N] [--seed N] [--short]
Records the system calls of a server, and starts it on the disk states that a power cut would have left.
--states  number of states, spread over all (${FULL_STATES}; --short ${SHORT_STATES})
--seed    of the random states (1)`

const values = optionsOrExit(
  { states: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)

const states = values.short ? SHORT_STATES : Number(values.states ?? FULL_STATES)
if (!(Number.isInteger(states) && states > 0)) {
  console.error(`--states must be a whole number of at least 1.\n${USAGE}`)
  process.exit(2)
}

async function main(): Promise<number> {
  const missing = whyNoStrace()
  if (missing !== null) {
    console.log(`skipped: ${missing}`)
    return 0
  }
  const folder = await mkdtemp(join(tmpdir(), 'dictation-powercut-'))
  tidyWhenInterrupted(folder)
  try {
    const run = await recordRun(folder)
    const moments = momentsOf(run)
    const random = createRandom(Number(values.seed ?? 1) + 1)
    const total = countStates(moments)
    const wanted = Math.min(total, states)
    const isTried = (index: number) =>
      Math.floor(((index + 1) * wanted) / total) > Math.floor((index * wanted) / total)
    console.log(
      `${run.acknowledged.length} acknowledgements, ${moments.length} moments, ${total} states; trying ${wanted}`,
    )
    const left = statesOf({ run, moments, chance: () => (random() + 1) / 2, isTried })
    const { tried, broken } = await tryAll(left, folder)
    const lostAsNewer = sum(tried.map((one) => one.lostAsNewer))
    console.log(
      `states ${tried.length}, broken ${broken}; ${lostAsNewer} changes were newer than their copies`,
    )
    if (tried.length >= REPORTED_STATES && broken === 0) await report(run.acknowledged.length, tried)
    return broken === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Tried = Pick<State, 'database' | 'survival'> & { lostAsNewer: number }

async function tryAll(states: Iterator<State>, folder: string): Promise<{ tried: Tried[]; broken: number }> {
  const tried: Tried[] = []
  let [begun, broken] = [0, 0]
  const work = async () => {
    for (let next = states.next(); !next.done; next = states.next()) {
      const { what, database, survival } = next.value
      const stateFolder = join(folder, `state-${begun++}`)
      const { faults, lostAsNewer } = await judge(next.value, stateFolder)
      tried.push({ database, survival, lostAsNewer })
      if (faults.length > 0) broken++
      for (const fault of faults) console.error(`${what}: ${fault}`)
      if (tried.length % 50 === 0) console.log(`${tried.length} states tried, ${broken} broken`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { tried, broken }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

async function report(acknowledged: number, states: Tried[]): Promise<void> {
  const rows = DATABASE_STATES.map((database) => {
    const those = states.filter((state) => state.database === database)
    const counts = SURVIVALS.map((survival) => those.filter((state) => state.survival === survival).length)
    return [
      `database ${database}`,
      ...[...counts, sum(those.map(({ lostAsNewer }) => lostAsNewer)), 0].map(String),
    ]
  })
  await writeSection({
    title: 'A power cut',
    command: 'npm run torture -- powercut',
    how: `**Every acknowledged change survives a power cut**: recordings byte for byte, texts, corrections, settings, dictionary, styles and commands as the server returned them; deleted captures stay deleted; accepted jobs complete; an unacknowledged upload is there as a whole or not at all; and the copies are correct again after the start.

strace records the system calls of a server while it acknowledges ${acknowledged} requests, and a model disk replays them. The power is cut at each response and after each sync: files have the bytes of their last sync, and folders the names of theirs (*synced*), or all names but no further byte (*names ahead*), or a random part of everything unsynced (*mixed*). The same holds for the files of the database, which must open as it is (*durable*). In addition the database is lost (*gone*) or has twelve bytes flipped (*flipped*), as after a disk failure: then the server rebuilds it from the copies, no recording may be lost and no deleted capture may return, and the table counts the changes that were newer than their copies, with the deletions of a batch that was only accepted. The real server starts on each of these states.`,
    table: markdownTable(
      ['states tried', 'synced', 'names ahead', 'mixed', 'newer than their copies', 'other losses'],
      rows,
    ),
  })
}

process.exit(await main())
