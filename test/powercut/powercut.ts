// Cuts the power at every moment of a recorded run: only what was synced then is left, and a database of any age or
// none. The server is started on it, and all that was acknowledged must be there. How is in the files beside it.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownTable, RELIABILITY, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { tidyWhenInterrupted } from '../support/interrupted.ts'
import { createRandom } from '../support/random.ts'
import { whyNoStrace } from '../support/system-calls.ts'
import { faultsOf } from './after-the-cut.ts'
import { DATABASE_STATES } from './database-states.ts'
import { SURVIVALS } from './model-disk.ts'
import { countStates, momentsOf, type State, statesOf } from './moments.ts'
import { recordRun } from './record-run.ts'

const AT_ONCE = 2
const FULL_STATES = 320
const SHORT_STATES = 6

const USAGE = `usage: npm run powercut -- [--states N] [--seed N] [--short]
Records the system calls of a server, and starts it on what a power cut would have left of the disk.
--states  how many are tried, spread over all there are (${FULL_STATES}; --short ${SHORT_STATES})
--seed    of what is left to chance (1)`

const values = optionsOrExit(
  { states: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)

const states = values.short ? SHORT_STATES : Number(values.states ?? FULL_STATES)
if (!(Number.isInteger(states) && states > 0)) {
  console.error(`--states must be a whole number from 1 on.\n${USAGE}`)
  process.exit(2)
}

async function main(): Promise<number> {
  const missing = whyNoStrace()
  if (missing !== null) {
    console.log(`npm run powercut was skipped: ${missing}.`)
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
    // Spread over all of them.
    const isTried = (index: number) =>
      Math.floor(((index + 1) * wanted) / total) > Math.floor((index * wanted) / total)
    console.log(
      `${run.acknowledged.length} acknowledgements, ${moments.length} moments, ${total} states, of which ${wanted} are tried`,
    )
    const left = statesOf({ run, moments, chance: () => (random() + 1) / 2, isTried })
    const { tried, broken } = await tryAll(left, folder)
    console.log(`states ${tried.length}, broken ${broken}`)
    if (!values.short && values.states === undefined && broken === 0)
      await report(run.acknowledged.length, tried)
    return broken === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Tried = Pick<State, 'database' | 'survival'>

async function tryAll(states: Iterator<State>, folder: string): Promise<{ tried: Tried[]; broken: number }> {
  const tried: Tried[] = []
  let broken = 0
  const work = async () => {
    for (let next = states.next(); !next.done; next = states.next()) {
      const { what, database, survival } = next.value
      const place = join(folder, `state-${tried.length}`)
      tried.push({ database, survival })
      const faults = await faultsOf(next.value, place)
      if (faults.length > 0) broken++
      for (const fault of faults) console.error(`${what}: ${fault}`)
      if (tried.length % 50 === 0) console.log(`${tried.length} states tried, ${broken} broken`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { tried, broken }
}

async function report(acknowledged: number, states: Tried[]): Promise<void> {
  const count = (such: (state: Tried) => boolean) => String(states.filter(such).length)
  const rows = DATABASE_STATES.map((database) => [
    `database ${database}`,
    ...SURVIVALS.map((survival) =>
      count((state) => state.database === database && state.survival === survival),
    ),
    '0',
  ])
  await writeSection(
    {
      title: 'A power cut',
      command: 'npm run powercut',
      how: `**Whatever was acknowledged is there after a power cut**: recordings byte for byte, texts, corrections, settings, dictionary, styles and commands as they were answered; what was deleted stays deleted; work that was promised is done; what was not acknowledged is there as a whole or not at all.

The system calls of a server are recorded (strace) while ${acknowledged} requests are acknowledged, and replayed on a model disk. The power is cut as each answer leaves, and after each sync: bytes are left as of their last sync, names as of the last sync of their folder (*synced*), or all names but no byte more (*names ahead*), or of everything unsynced a part by chance (*mixed*). Of the database the cut leaves what was synced, as of all files (*durable*: it must open as it is); or, as on a disk that breaks its promise, nothing, an old state, a torn one (half of the sectors written since) or twelve flipped bytes. The real server is started on each of these states.`,
      table: markdownTable(['states tried', 'synced', 'names ahead', 'mixed', 'anything lost'], rows),
    },
    RELIABILITY,
  )
}

process.exit(await main())
