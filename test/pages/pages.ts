// Damages each table and each index of the database, ours, the queue's and those of long values, in four ways, and starts on it:
// it must start each time, and all that a person would miss must be there afterwards. Some with the real server.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetAsLeft } from '../../db/as-left.ts'
import { openDatabase } from '../../db/open.ts'
import { markdownTable, RELIABILITY, writeSection } from '../../scripts/bench/report.ts'
import { median, seconds } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { silentLog as log } from '../../src/lib/log.ts'
import {
  DAMAGES,
  type Damage,
  damage,
  databaseFolder,
  type Relation,
  relationsOf,
} from '../support/damage.ts'
import { startServer } from '../support/server.ts'
import { type Contents, contentsAfter, contentsOf, copyOf, makeSeed, type Seed } from './seed.ts'

const USAGE = `usage: npm run pages [-- --short] [--only NAME]
Damages each table and index by turns, as after a kill, and one in ten as after a clean stop: ${DAMAGES.join(', ')}.
--short   one damage for each of a few, and prints only
--only    those whose name, as it is printed, has this in it, and prints only`

/** Of those that the server's own process is started on, one in so many. */
const REAL_ONE_IN = 40
const SHORT = [
  'stopped: zero in public.jobs',
  'killed: flip in public.captures',
  'killed: cut in public.captures',
  'killed: zero in public.captures_pkey',
  'killed: flip in pgboss.job_common',
]

/** A clean stop notes how it leaves the files; after a kill damage is only met by who reads the page. */
const LEFT = ['stopped', 'killed'] as const
/** What a clean stop notes are the files' hashes, which are the same to it whatever they hold: one in so many tells. */
const STOPPED_ONE_IN = 10

type Trial = { relation: Relation; how: Damage; left: (typeof LEFT)[number] }
type Outcome = Trial & { by: 'process' | 'server'; madeAnew: boolean; ms: number; fault: string | null }

const values = optionsOrExit({ short: { type: 'boolean' }, only: { type: 'string' } }, USAGE)
let heard: Promise<Contents> | null = null
const root = await mkdtemp(join(tmpdir(), 'dictation-pages-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void rm(root, { recursive: true, force: true }).then(() => process.exit(1)))

async function trialsOn(seed: Seed): Promise<Trial[]> {
  const dataFolder = await copyOf(seed, join(root, 'looked-at'))
  const opened = await openDatabase({ dataFolder, databaseUrl: null, log })
  if (!opened.ok) throw new Error(opened.failure.message)
  const relations = await relationsOf(opened.value)
  await opened.value.close()
  const all = LEFT.flatMap((left) =>
    DAMAGES.flatMap((how) => relations.map((relation) => ({ relation, how, left }))),
  )
  if (values.short) return all.filter((trial) => SHORT.includes(nameOf(trial)))
  if (values.only !== undefined) return all.filter((trial) => nameOf(trial).includes(values.only!))
  return all.filter(({ left }, index) => left === 'killed' || index % STOPPED_ONE_IN === 0)
}

const nameOf = ({ relation, how, left }: Trial) => `${left}: ${how} in ${relation.name}`

/** Null where the file has nothing that could be damaged so. */
async function attempt(seed: Seed, trial: Trial, by: Outcome['by']): Promise<Outcome | null> {
  const { relation, how, left } = trial
  const dataFolder = await copyOf(seed, join(root, 'damaged'))
  const older = join(databaseFolder(seed.earlier), relation.path)
  if (!(await damage(join(databaseFolder(dataFolder), relation.path), how, older))) return null
  if (left === 'killed') await forgetAsLeft(databaseFolder(dataFolder))
  const startedAt = performance.now()
  const look = by === 'process' ? contentsAfter : contentsAfterServer
  const expected = by === 'process' ? seed.contents : await heardByServer(seed)
  const fault = await look(dataFolder).then(
    (contents) => differenceIn(expected, contents),
    (error: Error) => error.message,
  )
  const madeAnew = (await readdir(dataFolder)).some((name) => name.includes('unusable'))
  return { ...trial, by, madeAnew, ms: performance.now() - startedAt, fault }
}

async function contentsAfterServer(dataFolder: string): Promise<Contents> {
  await using server = await startServer({ dataFolder })
  return await contentsOf((path, init) => fetch(server.url + path, init))
}

/** What was promised is heard by the real engine there, on the undamaged folder too. */
function heardByServer(seed: Seed): Promise<Contents> {
  heard ??= copyOf(seed, join(root, 'heard')).then(contentsAfterServer)
  return heard
}

/** The names of what differs. */
function differenceIn(expected: Contents, found: Contents): string | null {
  const names = Object.keys(expected).filter((name) => !Bun.deepEquals(expected[name], found[name]))
  return names.length === 0 ? null : `${names.join(', ')} differ`
}

const outcomes: Outcome[] = []
try {
  await tryAll(await makeSeed(root))
} finally {
  await rm(root, { recursive: true, force: true })
}

async function tryAll(seed: Seed): Promise<void> {
  for (const [index, trial] of (await trialsOn(seed)).entries()) {
    const outcome = await attempt(seed, trial, index % REAL_ONE_IN === 0 ? 'server' : 'process')
    if (outcome === null) continue
    outcomes.push(outcome)
    const { by, madeAnew, fault, ms } = outcome
    const what = fault === null ? (madeAnew ? 'made anew' : 'whole as it was') : `BROKEN: ${fault}`
    console.log(`${outcomes.length}. ${nameOf(trial)}, in a ${by}: ${what} (${seconds(ms)})`)
  }
}

const count = (such: (outcome: Outcome) => boolean) => String(outcomes.filter(such).length)
const rows = LEFT.flatMap((left) =>
  DAMAGES.map((how) => {
    const those = (one: Outcome) => one.left === left && one.how === how
    return [
      ...[left, how, count(those), count((one) => those(one) && one.by === 'server')],
      ...[count((one) => those(one) && one.madeAnew), count((one) => those(one) && one.fault !== null)],
    ]
  }),
)
const table = markdownTable(['left', 'damage', 'tried', 'with the real server', 'made anew', 'broken'], rows)
const broken = outcomes.filter(({ fault }) => fault !== null)
if (!values.short && values.only === undefined && outcomes.length > 0)
  await writeSection(
    {
      ...{ title: 'Damaged pages', command: 'npm run pages', table },
      how: `Each table and each index of the database, ours, the queue's and those of long values, has one page spoiled: 36 bytes flipped, all zeros, cut off, or half of it as it was earlier. As after a kill, and one in ${STOPPED_ONE_IN} after a clean stop, whose hashes tell of any damage, the server must start each time, and tell the same captures, texts, audio, numbers, dictionary, styles, commands and settings, with what was promised done. One in ${REAL_ONE_IN} is started as a process, the others in one. Median of a start with all its looking: ${seconds(median(outcomes.map(({ ms }) => ms)))}.`,
    },
    RELIABILITY,
  )
console.log(`${table}\n${outcomes.length} damages, ${broken.length} broken promises`)
process.exit(broken.length === 0 && outcomes.length > 0 ? 0 : 1)
