// Kills the server's worker processes while captures arrive, then the server, and checks all captures.
// Exits with 1 if a capture was lost or failed, a crash counted against the wrong job, or a file or process is left. Linux only.

import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rowsAsTable, writeSection } from '../../scripts/bench/report.ts'
import type { Row } from '../../scripts/bench/table.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { childrenOf, isRunning, type Role, roleOf } from '../support/children.ts'
import { createTestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { countUnfinished, extraAttempts, faultsOf, RECORDINGS, type Uploaded, upload } from './captures.ts'

const USAGE = `usage: npm run torture -- children [--kills N] [--short]
Kills, crashes and stops N decoders (also FFmpeg's), speech detectors and engines (150) at random moments while captures
arrive; then kills the server 25 times in a row while it works on the same recordings.
--short kills a few workers. The full form writes its section of RELIABILITY.md.`

const values = optionsOrExit({ kills: { type: 'string' }, short: { type: 'boolean' } }, USAGE)
const isShort = values.short === true
const kills = isShort ? 7 : Number(values.kills ?? 150)
if (!(kills >= 1)) {
  console.error('--kills must be at least 1.\n--help shows the usage.')
  process.exit(2)
}
if (process.platform !== 'linux') {
  console.log('skipped: needs /proc, which only Linux has')
  process.exit(0)
}

const VICTIMS = ['decoder', 'detector', 'engine'] as const satisfies Role[]
/** A kill, a crash, and a hang, which the server detects within a minute. */
const SIGNALS = ['SIGKILL', 'SIGSEGV', 'SIGSTOP', 'SIGKILL', 'SIGABRT', 'SIGKILL'] as const
const AT_ONCE = 6
const LONGEST_PHASE_MS = 1500
const PATIENCE_MS = 180_000
const SERVER_KILLS = 25
/** If so many captures complete while a process hangs, none of them waits for it. */
const ENOUGH_WITHOUT_IT = 4 * AT_ONCE

/** Disposed at the end, and on an interrupt. */
const world = new AsyncDisposableStack()
let ending: Promise<void> | null = null
const end = () => (ending ??= world.disposeAsync())
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(130)))

/** `wasIdle`: it hung while it had no work, as the fallback of an engine that works again. */
type Death = { victim: Role; signal: string; wasIdle: boolean }

async function keepUploading(server: RunningServer, uploaded: Uploaded[], stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    if ((await countUnfinished(server)) < AT_ONCE)
      uploaded.push(await upload(server, RECORDINGS[uploaded.length % RECORDINGS.length]!))
    else await Bun.sleep(50)
  }
}

/** @returns every failed request of /health */
async function watchHealth({ url }: RunningServer, stop: AbortSignal): Promise<string[]> {
  const faults: string[] = []
  while (!stop.aborted) {
    const status = await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      (error: Error) => error.message,
    )
    if (status !== 200) faults.push(`/health: ${status}`)
    await Bun.sleep(250)
  }
  return faults
}

async function killChildren(server: RunningServer, seen: Set<number>): Promise<Death[]> {
  const deaths: Death[] = []
  for (let round = 0; round < kills; round++) {
    await Bun.sleep(Math.random() * LONGEST_PHASE_MS)
    const victim = VICTIMS[round % VICTIMS.length]!
    const signal = SIGNALS[Math.floor(round / VICTIMS.length) % SIGNALS.length]!
    const pid = await until(
      () => {
        const children = childrenOf(server.pid).filter(isRunning)
        for (const child of children) seen.add(child)
        const fit = children.filter((child) => roleOf(child) === victim)
        return fit[Math.floor(Math.random() * fit.length)]
      },
      { timeoutMs: PATIENCE_MS, what: `a running ${victim}` },
    )
    console.log(`${round + 1} of ${kills}: ${victim}, ${signal}`)
    process.kill(pid, signal)
    const before = await countCompleted(server)
    const isOver = async () => !isRunning(pid) || (await countCompleted(server)) >= before + ENOUGH_WITHOUT_IT
    await until(isOver, {
      timeoutMs: PATIENCE_MS,
      what: () => `the end of a ${victim} by ${signal}: ${stateOf(pid)}`,
    })
    const wasIdle = isRunning(pid)
    if (wasIdle) process.kill(pid, 'SIGKILL')
    deaths.push({ victim, signal, wasIdle })
    // Wait for a completed capture, so that no job is hit three times by chance.
    const done = await countCompleted(server)
    await until(async () => (await countCompleted(server)) > done, {
      timeoutMs: PATIENCE_MS,
      what: `a capture to be completed after the end of a ${victim} by ${signal}`,
    })
  }
  return deaths
}

const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8').replaceAll('\n', '; ')

async function countCompleted({ url }: RunningServer): Promise<number> {
  const response = await fetch(`${url}/jobs?state=completed&limit=1`)
  return ((await response.json()) as { total: number }).total
}

const allDone = (server: RunningServer) =>
  until(async () => (await countUnfinished(server)) === 0, {
    timeoutMs: 10 * PATIENCE_MS,
    what: 'every job to end',
  })

type Verdict = { rows: Row[]; broken: string[] }

async function againstChildren(): Promise<Verdict> {
  const server = world.use(await startServer())
  const uploaded: Uploaded[] = []
  const seen = new Set<number>()
  const stop = new AbortController()
  const health = watchHealth(server, stop.signal)
  const uploading = keepUploading(server, uploaded, stop.signal)
  // A failed upload is reported below, after the kills.
  uploading.catch(() => {})
  let deaths: Death[]
  try {
    deaths = await killChildren(server, seen)
  } finally {
    stop.abort()
  }
  await uploading
  await allDone(server)
  const broken = [...(await faultsOf(server, uploaded)), ...(await health)]
  const extra = await extraAttempts(server)
  if (extra > deaths.length) broken.push(`${extra} extra attempts after ${deaths.length} deaths`)
  const zombies = childrenOf(server.pid).filter((pid) => !isRunning(pid))
  if (zombies.length > 0) broken.push(`${zombies.length} ended children were never reaped`)
  for (const folder of ['work', 'inbox']) {
    const left = await readdir(join(server.dataFolder, folder))
    if (left.length > 0) broken.push(`left in ${folder}: ${left.join(', ')}`)
  }
  for (const pid of childrenOf(server.pid)) seen.add(pid)
  const code = await server.stop()
  if (code !== 0) broken.push(`the server stopped with ${code}`)
  const outlived = [...seen].filter(isRunning)
  if (outlived.length > 0) broken.push(`${outlived.length} children outlived the server`)
  const of = (victim: Role) => String(deaths.filter((death) => death.victim === victim).length)
  const idle = deaths.filter(({ wasIdle }) => wasIdle).length
  const hangs = deaths.filter(({ signal }) => signal === 'SIGSTOP').length
  return {
    rows: [
      ...VICTIMS.map((victim) => ({ what: `${victim}s ended`, value: of(victim) })),
      {
        what: 'of them hung (SIGSTOP)',
        value: String(hangs),
        note: `${idle} while idle`,
      },
      { what: 'captures uploaded meanwhile', value: String(uploaded.length) },
      { what: 'extra attempts', value: String(extra), note: 'at most one for each death' },
    ],
    broken,
  }
}

/** The same recordings are in progress each time the server is killed, but none of them is the cause. */
async function againstServer(): Promise<Verdict> {
  const folder = world.use(await createTestFolder())
  const env = folder.databaseUrl === null ? {} : { DATABASE_URL: folder.databaseUrl }
  const start = async () => world.use(await startServer({ dataFolder: folder.dataFolder, env }))
  const uploaded: Uploaded[] = []
  for (let kill = 0; kill < SERVER_KILLS; kill++) {
    const server = await start()
    if (uploaded.length === 0)
      for (let count = 0; count < AT_ONCE; count++) uploaded.push(await upload(server, 'human-1.flac'))
    await until(() => server.log().some(({ phase }) => phase === 'transcribing'), {
      timeoutMs: PATIENCE_MS,
      what: 'a running transcription',
    })
    await server.kill()
  }
  const server = await start()
  const { suspected, putOff } = server.log().find(({ msg }) => msg === 'jobs taken up again') ?? {}
  await allDone(server)
  const value = `${SERVER_KILLS} times with ${uploaded.length} recordings in work`
  return {
    rows: [{ what: 'server killed', value, note: `${suspected} ran alone, ${putOff} postponed` }],
    broken: await faultsOf(server, uploaded),
  }
}

const HOW = `A crash or hang of a worker process never loses a transcript: decoders (also FFmpeg's), the speech detector and the engine are killed,
crash or hang at random moments while captures arrive. Every capture is completed with its original audio, the
server responds all the time, no crash counts against more than one job, and no process or file is left. Jobs that were
running when the server was killed, 25 times in a row, run alone, are postponed until the server has stayed up for a
minute, and complete.`

async function main(): Promise<number> {
  const verdicts = [await againstChildren(), ...(isShort ? [] : [await againstServer()])]
  const broken = verdicts.flatMap((one) => one.broken)
  const rows = [
    ...verdicts.flatMap((one) => one.rows),
    { what: 'captures lost, altered, failed or without a transcript', value: String(broken.length) },
  ]
  for (const { what, value, note } of rows) console.log(`${what}: ${value}${note ? ` (${note})` : ''}`)
  for (const one of broken) console.error(one)
  if (!isShort && broken.length === 0) {
    const command = `npm run torture -- children${values.kills === undefined ? '' : ` --kills ${kills}`}`
    await writeSection({ title: 'Children killed', command, how: HOW, table: rowsAsTable(rows) })
  }
  return broken.length === 0 ? 0 : 1
}

process.exit(await main().finally(end))
