// Uses the real server for hours as people and programs do, and looks at rest, again and again, whether anything grows.
// Exits with 1 where something does, or where an answer was not as it should be. Linux only.

import { RELIABILITY, rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/client/options.ts'
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
import { type Sample, sampleAtRest } from './samples.ts'
import { loadSounds } from './sounds.ts'
import { createYardstick } from './yardstick.ts'

const usage = `usage: npm run soak -- [--minutes N] [--at-most N] [--short]
Uploads in many formats, bad ones and broken ones; transcriptions, streams, searches, edits, batches, exports, sessions:
57,600 of them first, then more for N minutes (60), forty a second, and every three minutes a rest, at which memory, handles and files
are looked at. Longer, up to --at-most (180), until it is clear whether memory grows by more than is promised for an hour of use,
which is ten a second.
--short takes half a minute and looks at handles, files and answers alone.
The long form writes its section of RELIABILITY.md.`

const values = optionsOrExit(
  { minutes: { type: 'string' }, 'at-most': { type: 'string' }, short: { type: 'boolean' } },
  usage,
)
const isShort = values.short === true
const minutes = isShort ? 0 : Number(values.minutes ?? 60)
const atMost = isShort ? 0 : Number(values['at-most'] ?? 180)
if (!(minutes >= 0 && atMost >= 0)) {
  console.error('--minutes and --at-most must be numbers.\n--help shows how it is used.')
  process.exit(2)
}
if (process.platform !== 'linux') {
  console.log('skipped: what a process holds is read from /proc, which only Linux has')
  process.exit(0)
}

/** FFmpeg's decoder is kept for a minute after its last use, and is no leak. */
const REST_MS = isShort ? 3000 : 75_000
const LOAD_MS = isShort ? 8000 : 105_000
/** Four times as fast as is promised for: what an operation leaves behind is there after it, however soon the next comes. */
const EVERY_MS = isShort ? 100 : 25
const OPERATIONS_AN_HOUR = 36_000
/** A heap finds its size after so many, however long they take: 24 minutes, or more on a busy machine. */
const SETTLING_OPERATIONS = isShort ? 0 : 57_600
/** Whatever the machine takes for them: one to compare with, or six that are settled, of which a slope can be told. */
const LEAST_ROUNDS = isShort ? 2 : 9
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
  const world = { client, sounds: await loadSounds(), lately: [] }
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
    run.samples.length >= LEAST_ROUNDS &&
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

/** As they were given. */
const options = process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []

async function judge(run: Run, done: Done): Promise<number> {
  const verdicts = isShort
    ? [judgeLeftovers(run)]
    : [judgeMemory, judgeLeftovers, judgeThreads, judgeLatency].map((of) => of(run))
  const rows: Row[] = [
    {
      what: 'operations',
      value: String(done.operations),
      note: `${done.skipped} more were left out, since too many were under way`,
    },
    ...verdicts.flatMap(({ rows: some }) => some),
    ...sizes(run.samples),
  ]
  const broken = verdicts.flatMap(({ broken: some }) => some)
  for (const { what, value, note = '' } of rows) console.log(`${what}: ${value}${note && ` (${note})`}`)
  for (const one of broken) console.error(one)
  if (!isShort && broken.length === 0)
    await writeSection(
      {
        title: 'Soak',
        command: ['npm run soak', ...options].join(' '),
        how: HOW,
        table: rowsAsTable(rows),
      },
      RELIABILITY,
    )
  return broken.length === 0 ? 0 : 1
}

const HOW = `However long the server is used, it does not grow: after a first third of the time, in which caches fill, its memory and
that of its children grow by no more than 2 MiB an hour of use each, which is ten operations a second, handles and threads stay as many as they were, no file is
left behind, and answers do not take longer. The real server first keeps long texts, with which the database uses all of its cache (32 MB) once, and is asked for
${SETTLING_OPERATIONS} things, in which its heap finds its size, and then for more, ${1000 / EVERY_MS} a second, so that an hour of use passes in a quarter of one: uploads in many
formats, bad ones and broken ones, transcriptions and streams that are read or left, searches, edits, batches, exports,
settings, sessions; what is made is deleted again. Every three minutes all of it is deleted and nothing is asked for
${REST_MS / 1000} seconds; what is measured is the lowest of the last third of such a rest, and of memory what is a process's own.
Slopes are the median of those between all pairs of rests (Theil–Sen). Of the server the highest that the slope may be with
95 % certainty counts, and the run goes on, for ${atMost} minutes at most, until that is clear. Of its children, which are replaced when they have grown, the likeliest counts. The folder grows by the tombstones of what was deleted, which the statistics need.`

const sizes = (samples: Sample[]): Row[] => {
  const [first, last] = [samples[0]!, samples.at(-1)!]
  const mib = (value: number) => `${value.toFixed(1)} MiB`
  return [
    { what: 'data folder', value: `${mib(first.folderMib)} → ${mib(last.folderMib)}` },
    { what: 'of it the database', value: `${mib(first.databaseMib)} → ${mib(last.databaseMib)}` },
  ]
}

const asLine = ({ atHours, held, leftovers, folderMib }: Sample, { operations, skipped }: Done): string =>
  [
    `${atHours.toFixed(2)} h of use: ${operations} done, ${skipped} left out`,
    ...ROLES.map((role) => {
      const { ownMib, files, sockets, threads } = held[role]
      return `${role} ${ownMib.toFixed(1)} MiB, ${files} files, ${sockets} sockets, ${threads} threads`
    }),
    `folder ${folderMib.toFixed(1)} MiB, ${leftovers.length} files left behind`,
  ].join('; ')

process.exit(await main())
