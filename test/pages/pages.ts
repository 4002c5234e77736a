// Damages each table and index of the database (ours, the queue's and TOAST) in four ways and starts the server on it: it
// must start each time and serve everything that was in the database or in the copies.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetCleanShutdown } from '../../db/clean-shutdown.ts'
import { openDatabase } from '../../db/open.ts'
import { markdownTable, writeSection } from '../../scripts/bench/report.ts'
import { median, seconds } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
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
import {
  type CaptureSeen,
  type Contents,
  contentsAfter,
  contentsOf,
  copyOf,
  makeSeed,
  type Seed,
} from './seed.ts'

const USAGE = `usage: npm run torture -- pages [--short] [--only NAME]
Damages each table and index in turn, after a kill, and one in ten after a clean stop: ${DAMAGES.join(', ')}.
--short   a few damages; only prints
--only    damages whose printed name contains NAME; only prints`

/** One in so many runs as a real server process. */
const REAL_ONE_IN = 40
/** test/db/damage.test.ts flips bytes of both schemas. */
const SHORT = [
  'stopped: zero in public.jobs',
  'killed: cut in public.captures',
  'killed: zero in public.captures_pkey',
]

/** A clean stop records file hashes; after a kill, damage is only found when the page is read. */
const LEFT = ['stopped', 'killed'] as const
/** Hashes detect damage in any file alike, so one in so many is enough after a clean stop. */
const STOPPED_ONE_IN = 10

type Trial = { relation: Relation; how: Damage; left: (typeof LEFT)[number] }
type Judged = {
  fault: string | null
  /** changes that were lost, because they were newer than their copies */
  lostAsNewer: number
}
type Outcome = Trial & Judged & { by: 'process' | 'server'; rebuilt: boolean; ms: number }

const values = optionsOrExit({ short: { type: 'boolean' }, only: { type: 'string' } }, USAGE)
let transcribedByServer: Promise<Contents> | null = null
const root = await mkdtemp(join(tmpdir(), 'dictation-pages-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void rm(root, { recursive: true, force: true }).then(() => process.exit(1)))

async function trialsOn(seed: Seed): Promise<Trial[]> {
  const dataFolder = await copyOf(seed, join(root, 'inspected'))
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

/** @returns null if the file cannot be damaged in this way */
async function attempt(seed: Seed, trial: Trial, by: Outcome['by']): Promise<Outcome | null> {
  const { relation, how, left } = trial
  const dataFolder = await copyOf(seed, join(root, 'damaged'))
  const older = join(databaseFolder(seed.earlier), relation.path)
  if (!(await damage(join(databaseFolder(dataFolder), relation.path), how, older))) return null
  if (left === 'killed') await forgetCleanShutdown(databaseFolder(dataFolder))
  const startedAt = performance.now()
  const read = by === 'process' ? contentsAfter : contentsAfterServer
  const expected = by === 'process' ? seed.contents : await expectedFromServer(seed)
  const found = await read(dataFolder).catch((error: Error) => error)
  const ms = performance.now() - startedAt
  const rebuilt = (await readdir(dataFolder)).some((name) => name.includes('unusable'))
  // Postgres treats a page of zeros as unused, so the rows of a batch may disappear without an error.
  const mayLack = rebuilt || relation.name.includes('batch') ? seed.inBatch : []
  const judged =
    found instanceof Error ? { fault: found.message, lostAsNewer: 0 } : judge(expected, found, mayLack)
  return { ...trial, ...judged, by, rebuilt, ms }
}

async function contentsAfterServer(dataFolder: string): Promise<Contents> {
  await using server = await startServer({ dataFolder })
  return await contentsOf((path, init) => fetch(server.url + path, init))
}

/** The real engine transcribes the waiting jobs, so the expected contents come from a server on the undamaged folder. */
function expectedFromServer(seed: Seed): Promise<Contents> {
  transcribedByServer ??= copyOf(seed, join(root, 'transcribed')).then(contentsAfterServer)
  return transcribedByServer
}

/** Fields that do not depend on a retranscription. */
const RECORDING = ['id', 'sha256', 'title', 'starred']

/** @param mayLack captures that may lack their last transcription, but nothing else */
function judge(expected: Contents, found: Contents, mayLack: string[]): Judged {
  const foundBy = new Map(found.captures.map((one) => [one.id, one]))
  const differing = expected.captures.filter((one) => !Bun.deepEquals(one, foundBy.get(one.id)))
  const isNewer = (one: CaptureSeen) =>
    mayLack.includes(one.id) &&
    RECORDING.every((name) => Bun.deepEquals(one[name], foundBy.get(one.id)?.[name]))
  const lostAsNewer = differing.filter(isNewer).length
  const others = Object.keys(expected).filter(
    (name) => name !== 'captures' && !(name === 'counted' && lostAsNewer > 0),
  )
  const faults = [
    ...differing.filter((one) => !isNewer(one)).map(({ id }) => `capture ${id}`),
    ...(found.captures.length === expected.captures.length ? [] : ['the number of captures']),
    ...others.filter((name) => !Bun.deepEquals(expected[name], found[name])),
  ]
  return { fault: faults.length === 0 ? null : `different: ${faults.join(', ')}`, lostAsNewer }
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
    const { by, rebuilt, fault, lostAsNewer, ms } = outcome
    const state = rebuilt ? `rebuilt, ${lostAsNewer} changes newer than their copies` : 'complete'
    const what = fault === null ? state : `BROKEN${rebuilt ? ' and rebuilt' : ''}: ${fault}`
    console.log(`${outcomes.length}. ${nameOf(trial)}, in a ${by}: ${what} (${seconds(ms)})`)
  }
}

const count = (such: (outcome: Outcome) => boolean) => String(outcomes.filter(such).length)
const rows = LEFT.flatMap((left) =>
  DAMAGES.map((how) => {
    const those = (one: Outcome) => one.left === left && one.how === how
    return [
      ...[left, how, count(those), count((one) => those(one) && one.by === 'server')],
      count((one) => those(one) && one.rebuilt),
      String(outcomes.filter(those).reduce((sum, { lostAsNewer }) => sum + lostAsNewer, 0)),
      count((one) => those(one) && one.fault !== null),
    ]
  }),
)
const HEAD = [
  'left',
  'damage',
  'tried',
  'with the real server',
  'rebuilt',
  'newer than their copies',
  'broken',
]
const table = markdownTable(HEAD, rows)
const broken = outcomes.filter(({ fault }) => fault !== null)
if (!values.short && values.only === undefined && outcomes.length > 0)
  await writeSection({
    ...{ title: 'Damaged pages', command: 'npm run torture -- pages', table },
    how: `One page of each table and index of the database (ours, the queue's and those of long values) is damaged: 36 bytes flipped, all zeros, truncated, or half of it older. After a kill, and for one in ${STOPPED_ONE_IN} after a clean stop, whose hashes show any damage, the server must start each time. It moves a damaged database aside, rebuilds it from the copies, and then serves the same captures, texts, audio, numbers, dictionary, styles, commands and settings, with the waiting jobs done. Only batches have no copy: their unfinished work is lost with a rebuilt database. One in ${REAL_ONE_IN} runs as a separate process, the others share one. Median of a start with all checks: ${seconds(median(outcomes.map(({ ms }) => ms)))}.`,
  })
console.log(`${table}\n${outcomes.length} damages, ${broken.length} broken promises`)
process.exit(broken.length === 0 && outcomes.length > 0 ? 0 : 1)
