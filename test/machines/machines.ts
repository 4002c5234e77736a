// Breaks two servers and three workers on one Postgres and one store while clients use them, and checks at the end that
// nothing acknowledged is lost, undone or done twice. Exits with 1 if a promise was broken. Linux only.

import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import { percentile, type Row, seconds } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { createRandom } from '../support/random.ts'
import { check } from './check.ts'
import { type Draw, runClients } from './clients.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { History } from './history.ts'
import { FAULTS, inject, type Nemesis } from './nemesis.ts'

const USAGE = `usage: npm run torture -- machines [--minutes N] [--seed N] [--short]
Runs 2 servers and 3 workers on one Postgres and one store for N minutes (30) of random faults while clients use them.
--seed N   the order of calls and faults; by default another one each time
--short    each of the most important faults once, in two minutes
The full form writes its section of RELIABILITY.md.`

const values = optionsOrExit(
  { minutes: { type: 'string' }, seed: { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)
const isShort = values.short === true
const minutes = Number(values.minutes ?? 30)
const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 1e6))
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('--minutes must be above 0, and --seed a whole number.\n--help shows the usage.')
  process.exit(2)
}
if (process.platform !== 'linux') {
  console.log('skipped: needs /proc, which only Linux has')
  process.exit(0)
}

const SHORT = [
  'a worker killed',
  'cut off from the store',
  'a server killed',
  'Postgres killed',
  'stopped for 14 s, then continued',
  'answers of Postgres lost',
  'the store slow, busy or damaging',
  'a worker killed',
]
/** Of the jobs of a killed process; the limit of one job is in nemesis.ts. */
const MAX_TAKEOVER_P95_MS = 20_000
const MAX_CALM_MS = 2000
/** One fault in so many comes while another lasts. */
const BESIDE_ANOTHER = 3

const drawFrom = (given: number): Draw => {
  const random = createRandom(given)
  const below = (end: number) => Math.floor(((random() + 1) / 2) * end) % Math.max(1, end)
  return { below, of: (some) => some[below(some.length)]! }
}

async function torture(cluster: Cluster, nemesis: Nemesis): Promise<void> {
  const draw = drawFrom(seed + 1)
  const say = (names: string[]) =>
    console.log(`${new Date().toISOString().slice(11, 19)} ${names.join(', and ')}`)
  const run = async (names: string[]) => {
    say(names)
    const isAlone = names.length === 1
    await Promise.all(names.map((name) => inject({ cluster, draw, nemesis, isAlone }, name)))
    await Bun.sleep(draw.below(MAX_CALM_MS))
  }
  if (isShort) {
    for (const name of SHORT) await run([name])
    return
  }
  const endsAt = performance.now() + minutes * 60_000
  const names = Object.keys(FAULTS)
  while (performance.now() < endsAt) {
    const first = draw.of(names)
    const second = draw.of(names.filter((one) => one !== first))
    await run(draw.below(BESIDE_ANOTHER) === 0 ? [first, second] : [first])
  }
}

const HOW = (
  store: string,
) => `**Two servers and three workers on one Postgres lose nothing and do nothing twice**: each acknowledged recording is there byte
for byte with the text of its speech, each accepted job has one result, one version and one announcement, no answered
change is lost or undone by another server's, deleted captures and entries stay deleted, no job, delivery, copy or inbox
waits for ever, each process stops cleanly, and \`dictation verify\` finds no difference.

Real processes on Debian's Postgres with fsync and ${store}; a transcription server that waits one to four seconds takes the
place of the engine. A call without an answer may have been done or not. One fault in three comes beside another. A
single computer shows neither real networks nor the clocks of several.`

function rowsOf(nemesis: Nemesis, { calls, recordings }: History): Row[] {
  const answered = (outcome: string) => calls.filter((one) => one.outcome === outcome).length
  const p95 = (some: number[]) => seconds(percentile(some, 0.95))
  const { takeoverMs, backMs } = nemesis
  return [
    ...[...nemesis.counts].map(([what, count]) => ({ what, value: `${count} ×` })),
    {
      what: 'calls of clients',
      value: String(calls.length),
      note: `${answered('refused')} refused, ${answered('unknown')} without an answer that counts`,
    },
    { what: 'recordings acknowledged', value: String(recordings.length) },
    {
      what: 'a killed process: until another works on its job, 95 of 100',
      value: p95(takeoverMs),
      note: `of ${takeoverMs.length}; slowest ${seconds(Math.max(0, ...takeoverMs))}; goal ≤ 20 s`,
    },
    {
      what: 'Postgres back, or a process continued: until all servers serve, 95 of 100',
      value: p95(backMs),
      note: `of ${backMs.length}; slowest ${seconds(Math.max(0, ...backMs))}`,
    },
  ]
}

async function main(): Promise<number> {
  console.log(`seed ${seed}`)
  await using world = new AsyncDisposableStack()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void world.disposeAsync().finally(() => process.exit(130)))
  const cluster = await startCluster(world)
  if (cluster === null) {
    console.log('skipped: no Postgres is installed here (Debian: apt-get install postgresql)')
    return 0
  }
  const history: History = {
    ...{ calls: [], recordings: [], unknownUploads: 0, entries: [], settings: new Map(), faults: [] },
  }
  const nemesis: Nemesis = { counts: new Map(), takeoverMs: [], backMs: [], restarts: [], faults: [] }
  const over = new AbortController()
  const using = runClients({ cluster, history, draw: drawFrom(seed) }, over.signal)
  await torture(cluster, nemesis).finally(() => over.abort())
  await Promise.all(nemesis.restarts)
  await using
  console.log('checking')
  const broken = [...nemesis.faults, ...(await check(cluster, history))]
  const late = percentile(nemesis.takeoverMs, 0.95)
  if (late > MAX_TAKEOVER_P95_MS) broken.push(`a takeover took ${seconds(late)} (95 of 100)`)
  const rows = [...rowsOf(nemesis, history), { what: 'broken promises', value: String(broken.length) }]
  for (const { what, value, note = '' } of rows) console.log(`${what}: ${value}${note && ` (${note})`}`)
  for (const one of broken) console.error(one)
  if (broken.length > 0) console.error(`seed ${seed}`)
  if (!isShort && broken.length === 0) {
    const command = `npm run torture -- machines${values.minutes === undefined ? '' : ` --minutes ${minutes}`}`
    const how = `${HOW(cluster.store)}\n\nSeed ${seed}.`
    await writeSection({ title: 'Several machines', command, how, table: rowsAsTable(rows) })
  }
  return broken.length === 0 ? 0 : 1
}

process.exit(await main())
