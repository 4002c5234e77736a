// Uses the real server for hours as clients do, and samples it at rest for growth. Exits with 1 on growth or on an
// unexpected response. Linux only.

import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { ROLES } from '../support/children.ts'
import { startServer } from '../support/server.ts'
import { createClient, TOKEN } from './client.ts'
import { fillDatabaseCache } from './database-cache.ts'
import { createLoad, type Done, empty } from './load.ts'
import {
  isMemoryClear,
  judgeLatency,
  judgeLeftovers,
  judgeMemory,
  judgeThreads,
  type Run,
} from './promises.ts'
import { loadRecordings } from './recordings.ts'
import { type Sample, sampleAtRest } from './samples.ts'
import { createYardstick } from './yardstick.ts'

const usage = `usage: npm run torture -- soak [--minutes N] [--at-most N] [--short]
Sends uploads in many formats, damaged and interrupted ones, transcriptions, streams, searches, edits, batches, exports
and sessions: first 57,600 operations, then forty a second for N minutes (60). Every three minutes the load stops, and
memory, handles and files are sampled. Continues up to --at-most minutes (180) until it is certain whether memory grows
by more than the limit for an hour of use (ten operations a second).
--short takes half a minute and checks only handles, files and responses.
The full form writes its section of RELIABILITY.md.`

const values = optionsOrExit(
  { minutes: { type: 'string' }, 'at-most': { type: 'string' }, short: { type: 'boolean' } },
  usage,
)
const isShort = values.short === true
const minutes = isShort ? 0 : Number(values.minutes ?? 60)
const atMost = isShort ? 0 : Number(values['at-most'] ?? 180)
if (!(minutes >= 0 && atMost >= 0)) {
  console.error('--minutes and --at-most must be numbers.\n--help shows the usage.')
  process.exit(2)
}
if (process.platform !== 'linux') {
  console.log('skipped: needs /proc, which only Linux has')
  process.exit(0)
}

/** Longer than the minute for which FFmpeg's decoder stays after its last use. */
const REST_MS = isShort ? 3000 : 75_000
const LOAD_MS = isShort ? 8000 : 105_000
/** Four times the rate of the promise: leaks depend on the number of operations, not on their rate. */
const EVERY_MS = isShort ? 100 : 25
const OPERATIONS_AN_HOUR = 36_000
/** The heap reaches its size after so many operations: 24 minutes, or more on a busy machine. */
const SETTLING_OPERATIONS = isShort ? 0 : 57_600
/** One to compare with (--short), or six settled samples for a slope. */
const MIN_ROUNDS = isShort ? 2 : 9
const YARDSTICK_EVERY_MS = 1000

async function main(): Promise<number> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  await using server = await startServer({
    env: { DICTATION_TOKEN: TOKEN, DICTATION_LOG_LEVEL: 'info' },
  })
  await using yardstick = await createYardstick()
  let settledWith = 0
  const hoursOfUse = () => (load.done.operations - settledWith) / OPERATIONS_AN_HOUR
  const client = createClient(server.url, hoursOfUse)
  const world = { client, recordings: await loadRecordings(), recent: [] }
  const load = createLoad(world)
  const run: Run = { samples: [], answers: client.answers, faults: client.faults, yardstick: [] }

  const isInterrupted = () => interrupted.signal.aborted
  if (!isShort) await fillDatabaseCache(world)
  await load.run(EVERY_MS, () => load.done.operations >= SETTLING_OPERATIONS || isInterrupted())
  client.answers.length = 0
  settledWith = load.done.operations
  const beganAt = performance.now()
  const minutesSoFar = () => (performance.now() - beganAt) / 60_000
  const isOver = () =>
    run.samples.length >= MIN_ROUNDS &&
    minutesSoFar() >= minutes &&
    (minutesSoFar() >= atMost || isMemoryClear(run))
  while (!isOver() && !isInterrupted()) {
    const measuring = setInterval(async () => {
      const atHours = hoursOfUse()
      run.yardstick.push({ atHours, tookMs: await yardstick.measureMs() })
    }, YARDSTICK_EVERY_MS)
    const endsAt = performance.now() + LOAD_MS
    await load.run(EVERY_MS, () => performance.now() >= endsAt || isInterrupted())
    clearInterval(measuring)
    if (isInterrupted()) break
    await empty(world)
    const sample = await sampleAtRest(server, { restMs: REST_MS, hoursOfUse })
    run.samples.push(sample)
    console.log(asLine(sample, load.done))
  }
  if (isInterrupted()) {
    console.error('interrupted')
    return 130
  }
  return judge(run, load.done)
}

const options = process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []

async function judge(run: Run, done: Done): Promise<number> {
  const verdicts = isShort
    ? [judgeLeftovers(run)]
    : [judgeMemory, judgeLeftovers, judgeThreads, judgeLatency].map((of) => of(run))
  const rows: Row[] = [
    {
      what: 'operations',
      value: String(done.operations),
      note: `${done.skipped} more skipped, because too many were running`,
    },
    ...verdicts.flatMap(({ rows: some }) => some),
    ...sizes(run.samples),
  ]
  const broken = verdicts.flatMap(({ broken: some }) => some)
  for (const { what, value, note = '' } of rows) console.log(`${what}: ${value}${note && ` (${note})`}`)
  for (const one of broken) console.error(one)
  if (!isShort && broken.length === 0)
    await writeSection({
      title: 'Soak',
      command: ['npm run torture -- soak', ...options].join(' '),
      how: HOW,
      table: rowsAsTable(rows),
    })
  return broken.length === 0 ? 0 : 1
}

const HOW = `The server does not grow with use. After the first third of the time, in which caches fill, its memory and
that of its children grow by at most 2 MiB each for an hour of use (ten operations a second), the numbers of handles and threads stay the same, no file is
left, and responses do not become slower. The real server first stores long texts, which fill the database's cache (32 MB) once, and processes
${SETTLING_OPERATIONS} operations, in which its heap reaches its size; then ${1000 / EVERY_MS} a second, so that an hour of use takes a quarter of one: uploads in many
formats, damaged and interrupted ones, transcriptions and streams that are read or abandoned, searches, edits, batches, exports,
settings, sessions; everything created is deleted again. Every three minutes everything is deleted and no request is sent for
${REST_MS / 1000} seconds. The measured value is the lowest of the last third of such a rest; for memory, the private memory of the process.
Slopes are the median of the slopes between all pairs of samples (Theil–Sen). For the server, the upper bound of the slope with
95 % confidence counts, and the run continues, for at most ${atMost} minutes, until the result is certain. For its children, which are replaced when they have grown, the estimate counts. The folder grows by the tombstones of deleted captures, which the statistics need.`

const sizes = (samples: Sample[]): Row[] => {
  const [first, last] = [samples[0]!, samples.at(-1)!]
  const mib = (value: number) => `${value.toFixed(1)} MiB`
  return [
    { what: 'data folder', value: `${mib(first.folderMib)} → ${mib(last.folderMib)}` },
    { what: 'of this, the database', value: `${mib(first.databaseMib)} → ${mib(last.databaseMib)}` },
  ]
}

const asLine = ({ atHours, held, leftovers, folderMib }: Sample, { operations, skipped }: Done): string =>
  [
    `${atHours.toFixed(2)} h of use: ${operations} done, ${skipped} skipped`,
    ...ROLES.map((role) => {
      const { ownMib, files, sockets, threads } = held[role]
      return `${role} ${ownMib.toFixed(1)} MiB, ${files} files, ${sockets} sockets, ${threads} threads`
    }),
    `folder ${folderMib.toFixed(1)} MiB, ${leftovers.length} files left`,
  ].join('; ')

process.exit(await main())
