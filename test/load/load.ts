// Loads the server with more clients than it can serve (busy, slow and disconnecting ones), then checks everything
// acknowledged and everything left. Exits with 1 if a promise was broken. Linux only.

import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import { milliseconds, percentile, type Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { resourcesOf } from '../soak/processes.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { disconnectEarly, type Log, newLog, sendSlowly, useNormally } from './clients.ts'
import { type Answer, watchHealth } from './health.ts'

const USAGE = `usage: npm run torture -- load [--seconds N] [--usual-ms N] [--short]
Runs 50 busy clients, 200 that send a byte a second and 1,000 that disconnect, for N seconds (60, at least 5).
--usual-ms (100) is the limit for 99 % of the polls of /health, in main-thread time.
--short takes ten seconds, with a tenth of the disconnecting clients.
The full form writes its section of RELIABILITY.md.`

const values = optionsOrExit(
  { seconds: { type: 'string' }, 'usual-ms': { type: 'string' }, short: { type: 'boolean' } },
  USAGE,
)
const isShort = values.short === true
const seconds = Number(values.seconds ?? (isShort ? 10 : 60))
const usualMs = Number(values['usual-ms'] ?? 100)
if (!(seconds >= 5) || !(usualMs > 0)) {
  console.error('--seconds must be at least 5, and --usual-ms above 0.\n--help shows the usage.')
  process.exit(2)
}
if (process.platform !== 'linux') {
  console.log('skipped: needs /proc, which only Linux has')
  process.exit(0)
}

const CLIENTS = 50
const SLOW = 200
const DISCONNECTING = isShort ? 100 : 1000
const AT_ONCE = 20
/** Soon reached; further uploads must be rejected. */
const MAX_QUEUE = 30
/** Handles of caches and keep-alive connections, whose number varies. */
const SPARE_HANDLES = 20
const SPARE_MIB = 300
const PATIENCE_MS = 600_000

async function applyLoad(server: RunningServer, log: Log, interrupted: AbortSignal): Promise<void> {
  const over = AbortSignal.any([interrupted, AbortSignal.timeout(seconds * 1000)])
  for (let i = 0; i < SLOW; i += 1) sendSlowly(server.url, over)
  let left = DISCONNECTING
  const disconnecting = Array.from({ length: AT_ONCE }, async () => {
    while (left-- > 0 && !over.aborted) await disconnectEarly(server.url)
  })
  const clients = Array.from({ length: CLIENTS }, () => useNormally(server.url, log, over))
  await Promise.all([...disconnecting, ...clients])
}

const total = async (url: string, query: string): Promise<number> =>
  ((await (await fetch(`${url}${query}`)).json()) as { total: number }).total

/** No job waits or runs, and no file of an upload or a decoder is left. */
async function isAtRest({ url, dataFolder }: RunningServer): Promise<boolean> {
  const jobs = await Promise.all(
    ['waiting', 'active'].map((state) => total(url, `/jobs?limit=1&state=${state}`)),
  )
  return jobs.every((count) => count === 0) && leftIn(dataFolder).length === 0
}

const leftIn = (dataFolder: string): string[] =>
  ['inbox', 'work'].flatMap((folder) => readdirSync(join(dataFolder, folder)))

async function lost({ url }: RunningServer, { acknowledged }: Log): Promise<string[]> {
  const missing: string[] = []
  for (const [id, sha256] of acknowledged) {
    const capture = await fetch(`${url}/captures/${id}`)
    const { status } = (await capture.json()) as { status?: string }
    if (status !== 'completed') missing.push(`${id} is ${status ?? capture.status}`)
    const audio = await (await fetch(`${url}/captures/${id}/audio`)).bytes()
    if (createHash('sha256').update(audio).digest('hex') !== sha256) missing.push(`${id}: its audio differs`)
  }
  return missing
}

const handlesOf = (pid: number) => {
  const { files, sockets, ownMib } = resourcesOf(pid).server
  return { handles: files + sockets, ownMib }
}

type Run = {
  log: Log
  answers: Answer[]
  missing: string[]
  before: ReturnType<typeof handlesOf>
  after: ReturnType<typeof handlesOf>
}

function judge({ log, answers, missing, before, after }: Run): { rows: Row[]; broken: string[] } {
  const held = percentile(
    answers.map(({ heldMs }) => heldMs),
    0.99,
  )
  const waited = percentile(
    answers.map(({ ms }) => ms),
    0.99,
  )
  const refused = (log.statuses.get(429) ?? 0) + (log.statuses.get(503) ?? 0)
  const unanswered = answers.filter(({ status }) => status !== 200).length
  const broken = [
    ...log.faults,
    ...missing,
    ...(held > usualMs ? [`99 of 100 responses of /health waited up to ${milliseconds(held)}`] : []),
    ...(unanswered > 0 ? [`/health did not respond ${unanswered} times`] : []),
    ...(refused === 0 ? ['no request was rejected, so that rejections were not tested'] : []),
    ...(after.handles > before.handles + SPARE_HANDLES
      ? [`the server has ${after.handles} handles, up from ${before.handles}`]
      : []),
    ...(after.ownMib > before.ownMib + SPARE_MIB
      ? [`the server has ${after.ownMib.toFixed(0)} MiB, up from ${before.ownMib.toFixed(0)}`]
      : []),
  ]
  const rows = [
    { what: 'recordings acknowledged', value: String(log.acknowledged.size), note: `${missing.length} lost` },
    { what: 'rejected with Retry-After', value: String(refused) },
    {
      what: 'wait for /health, 99 of 100',
      value: milliseconds(held),
      note: `at most ${usualMs} ms; half of them ${milliseconds(
        percentile(
          answers.map(({ heldMs }) => heldMs),
          0.5,
        ),
      )}; in wall time ${milliseconds(waited)}; ${answers.length} responses`,
    },
    { what: 'handles of the server', value: `${before.handles} → ${after.handles}` },
    {
      what: 'memory of the server',
      value: `${before.ownMib.toFixed(0)} → ${after.ownMib.toFixed(0)} MiB`,
    },
    { what: 'jobs and files left', value: '0' },
  ]
  return { rows, broken }
}

const COMMAND =
  values.seconds === undefined ? 'npm run torture -- load' : `npm run torture -- load --seconds ${seconds}`

const HOW = `Every client gets a response, and nothing acknowledged is lost: ${CLIENTS} clients upload recordings five times faster than
real time and send other requests, ${SLOW} others send a byte a second, ${DISCONNECTING} disconnect during an upload, and the queue holds at most ${MAX_QUEUE} jobs.
When it is full, uploads are rejected with 429 and a Retry-After. Afterwards every acknowledged recording is there, transcribed
and with its original audio; no job waits, no file is left in \`inbox/\` and \`work/\`, handles and memory are as before.
The wait is the CPU time of the server's main thread until the response, which other load on the machine does not lengthen.`

async function main(): Promise<number> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  await using server = await startServer({
    env: { DICTATION_LOG_LEVEL: 'info', DICTATION_MAX_QUEUE: String(MAX_QUEUE) },
  })
  const log = newLog()
  // First-use costs do not count as growth.
  await warmUp(server, interrupted.signal)
  const before = handlesOf(server.pid)
  const answers = await (async () => {
    await using health = await watchHealth(server)
    return (await health.during(() => applyLoad(server, log, interrupted.signal))).answers
  })()
  if (interrupted.signal.aborted) {
    console.error('interrupted')
    return 130
  }
  await until(() => isAtRest(server), {
    timeoutMs: PATIENCE_MS,
    what: () => `all work to be done; left: ${leftIn(server.dataFolder).join(', ') || 'jobs'}`,
  })
  const missing = await lost(server, log)
  const areHandlesReleased = () => handlesOf(server.pid).handles <= before.handles + SPARE_HANDLES
  await until(areHandlesReleased).catch(() => {})
  return report(judge({ log, answers, missing, before, after: handlesOf(server.pid) }))
}

/** Runs one client for two seconds. */
async function warmUp(server: RunningServer, interrupted: AbortSignal): Promise<void> {
  await useNormally(server.url, newLog(), AbortSignal.any([interrupted, AbortSignal.timeout(2000)]))
  await until(() => isAtRest(server), { timeoutMs: PATIENCE_MS })
}

async function report({ rows, broken }: ReturnType<typeof judge>): Promise<number> {
  for (const { what, value, note = '' } of rows) console.log(`${what}: ${value}${note && ` (${note})`}`)
  for (const one of broken) console.error(one)
  if (!isShort && broken.length === 0)
    await writeSection({ title: 'Load', command: COMMAND, how: HOW, table: rowsAsTable(rows) })
  return broken.length === 0 ? 0 : 1
}

process.exit(await main())
