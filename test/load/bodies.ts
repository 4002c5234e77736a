// Sends each operation its largest bodies, and floods the live sockets, while another process polls /health.
// Exits with 1 if a poll waited too long, memory grew beyond the limit, or an operation has no body here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import { mebibytes, milliseconds, percentile, type Row, residentBytes } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { filledPath } from '../api/contract/client.ts'
import { type ApiDocument, type Operation, readDocument } from '../api/contract/document.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { type Shape, type Subjects, shapesOf } from './body-shapes.ts'
import { type HealthWatch, watchHealth } from './health.ts'
import { MIB } from './hostile-json.ts'
import { makeLongCapture } from './long-capture.ts'
import { FLOODS, flood } from './socket-floods.ts'

const USAGE = `usage: npm run torture -- bodies [--short] [--only TEXT] [--longest-ms N]
Sends the largest bodies of each operation in every shape; --short sends two shapes of each.
--only selects operations and socket floods whose name contains TEXT. --longest-ms (250) is the longest time that a
request may block others. The full form writes its section of RELIABILITY.md, unless --only is set.`

const values = optionsOrExit(
  { short: { type: 'boolean' }, only: { type: 'string' }, 'longest-ms': { type: 'string' } },
  USAGE,
)
const isShort = values.short === true
const longestMs = Number(values['longest-ms'] ?? 250)
if (!(longestMs > 0)) {
  console.error('--longest-ms must be a number above 0.\n--help shows the usage.')
  process.exit(2)
}
/** The limit for 99 % of the polls of /health, in main-thread time. */
const USUAL_MS = 100
const MAX_BYTES = 1536 * MIB
const QUIET_MS = 2000
const PATIENCE_MS = 300_000

type Sent = { what: string; status: number; heldMs: number[]; residentBytes: number }
const NO_RESPONSE = 0

async function send(url: string, operation: Operation, shape: Shape, stop: AbortSignal): Promise<number> {
  const address = new URL(`${url}${filledPath(operation.path, shape.path ?? {})}`)
  for (const [name, value] of Object.entries(shape.query ?? {})) address.searchParams.set(name, value)
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const response = await fetch(address, {
      ...{ method: operation.method, headers: shape.headers ?? {}, body: shape.body?.() ?? null, signal },
    })
    for await (const _ of response.body ?? []);
    return response.status
  } catch {
    // An early rejection may close the connection; a crashed server does not respond.
    return NO_RESPONSE
  }
}

/** The dictionary is filled first, because all other operations use it, and cleared last. */
const inOrder = (operations: readonly Operation[]): Operation[] => {
  const rank = ({ id }: Operation) => (id === 'importDictionary' ? 0 : id === 'clearDictionary' ? 2 : 1)
  return operations.toSorted((one, other) => rank(one) - rank(other))
}

const chosen = (shapes: Shape[]): Shape[] =>
  isShort ? shapes.filter((_, index) => index === 0 || index === shapes.length >> 1) : shapes

type World = { server: RunningServer; health: HealthWatch; subjects: Subjects; stop: AbortSignal }

async function sendAll({ server, health, subjects, stop }: World, operations: Operation[]): Promise<Sent[]> {
  const bodies = operations.flatMap((operation) =>
    chosen(shapesOf[operation.id]?.(subjects) ?? []).map((shape) => ({
      what: `${operation.id}: ${shape.what}`,
      send: () => send(server.url, operation, shape, stop),
    })),
  )
  const floods = FLOODS.filter(({ what }) => what.includes(values.only ?? '')).map((one) => ({
    what: one.what,
    send: () => flood(server.url, one, AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])),
  }))
  const sent: Sent[] = []
  for (const { what, send } of [...bodies, ...floods]) {
    if (stop.aborted) return sent
    const watched = await health.during(send)
    const one: Sent = {
      what,
      status: watched.result,
      heldMs: watched.answers.map(({ heldMs }) => heldMs),
      residentBytes: residentBytes(server.pid),
    }
    sent.push(one)
    if (!isShort)
      console.log(
        `${one.what}: ${one.status}, blocked ${milliseconds(Math.max(...one.heldMs))}, ${mebibytes(one.residentBytes)}`,
      )
  }
  return sent
}

/** Operations with a body that body-shapes.ts lacks, and the reverse. */
function missingShapes({ operations }: ApiDocument): string[] {
  const lacking = operations.filter(({ id, bodies }) => bodies.length > 0 && !(id in shapesOf))
  const unknown = Object.keys(shapesOf).filter((id) => !operations.some((one) => one.id === id))
  return [
    ...lacking.map(({ id }) => `${id} takes a body, but body-shapes.ts has none for it`),
    ...unknown.map((id) => `body-shapes.ts has bodies for ${id}, which is not an operation`),
  ]
}

function judge(sent: Sent[], quiet: number[]): { rows: Row[]; broken: string[] } {
  const all = sent.flatMap(({ heldMs }) => heldMs)
  const worst = sent.toSorted((one, other) => Math.max(...other.heldMs) - Math.max(...one.heldMs))
  const usual = percentile(all, 0.99)
  const peak = Math.max(...sent.map((one) => one.residentBytes))
  const failed = sent.filter(({ status }) => status === 500)
  const broken = [
    ...(usual > USUAL_MS ? [`99 of 100 responses waited up to ${milliseconds(usual)}`] : []),
    ...worst
      .filter(({ heldMs }) => Math.max(...heldMs) > longestMs)
      .map(({ what, heldMs }) => `${what} blocked others for ${milliseconds(Math.max(...heldMs))}`),
    ...(peak > MAX_BYTES ? [`the server took ${mebibytes(peak)} of memory`] : []),
    ...failed.map(({ what }) => `${what} returned 500`),
  ]
  const rows = [
    { what: 'bodies sent', value: String(sent.length), note: `${all.length} responses of /health meanwhile` },
    { what: 'wait, 99 of 100', value: milliseconds(usual), note: `at most ${USUAL_MS} ms` },
    { what: 'wait at rest, 99 of 100', value: milliseconds(percentile(quiet, 0.99)) },
    ...worst.slice(0, 3).map(({ what, heldMs }, index) => ({
      what: ['longest wait', 'second', 'third'][index]!,
      value: milliseconds(Math.max(...heldMs)),
      note: what,
    })),
    { what: 'peak memory', value: mebibytes(peak), note: `at most ${mebibytes(MAX_BYTES)}` },
  ]
  return { rows, broken }
}

async function main(): Promise<number> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const dataFolder = join(await mkdtemp(join(tmpdir(), 'dictation-bodies-')), 'data')
  try {
    const subjects: Subjects = {
      long: await makeLongCapture(dataFolder, 12),
      usual: await makeLongCapture(dataFolder, 0.2),
    }
    await using server = await startServer({ dataFolder, env: { DICTATION_LOG_LEVEL: 'info' } })
    const document = await readDocument(server.url)
    await using health = await watchHealth(server)
    const quiet = await health.during(() => Bun.sleep(QUIET_MS))
    const operations = inOrder(document.operations).filter(({ id }) => id.includes(values.only ?? ''))
    const sent = await sendAll({ server, health, subjects, stop: interrupted.signal }, operations)
    if (interrupted.signal.aborted) {
      console.error('interrupted')
      return 130
    }
    const idleHeldMs = quiet.answers.map(({ heldMs }) => heldMs)
    return await report(missingShapes(document), judge(sent, idleHeldMs))
  } finally {
    await rm(dirname(dataFolder), { recursive: true, force: true })
  }
}

async function report(missing: string[], { rows, broken }: ReturnType<typeof judge>): Promise<number> {
  const faults = [...missing, ...broken]
  for (const { what, value, note = '' } of rows) console.log(`${what}: ${value}${note && ` (${note})`}`)
  for (const fault of faults) console.error(fault)
  if (!isShort && values.only === undefined && faults.length === 0)
    await writeSection({
      title: 'The largest bodies',
      command: 'npm run torture -- bodies',
      how: HOW,
      table: rowsAsTable(rows),
    })
  return faults.length === 0 ? 0 : 1
}

const HOW = `No single request blocks the others. Each operation of the API receives the largest bodies it accepts, in the most
expensive shapes (nested, endless, full of errors, with characters that are expensive to compare), with a full dictionary and a capture of twelve hours, while another
process polls /health every four milliseconds. The live sockets are flooded with small frames, large frames, commits and
settings. An operation without such bodies fails the run. The wait is the CPU time
of the server's main thread until the response, which other load on the machine does not lengthen.`

process.exit(await main())
