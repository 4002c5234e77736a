// npm run upgrade: starts this version on a data folder of an earlier version with 10,000 captures, compares counts and a
// sample of answers before and after, and prints the time and peak memory of the first start.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { childrenOf, isRunning, roleOf } from '../support/children.ts'
import type * as Servers from '../support/server.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { differences } from './answers.ts'
import { type Client, clientOf, type Json } from './client.ts'
import { EXPECTED, type Expected, unpackFolder } from './folder.ts'
import { multiply } from './multiply.ts'
import { sampleOf } from './sample.ts'

const USAGE = `usage: npm run torture -- upgrade --old PATH [--captures 10000] [--keep]
Multiplies the captures of test/upgrade/folder.tar.gz, indexes them with the server of the tree at PATH (the version of
the folder, with its node_modules), kills it during a batch, and starts the server of this tree on the folder.
--keep keeps the folder. Needs Linux, and 3 GB of space in TMPDIR for 10,000 captures.
Exit codes: 0 nothing was lost, 1 there are differences.`

const READY_WITHIN_MS = 1_800_000
const UNFINISHED = ['waiting', 'active']

const given = optionsOrExit(
  { old: { type: 'string' }, captures: { type: 'string', default: '10000' }, keep: { type: 'boolean' } },
  USAGE,
)
if (given.old === undefined) {
  console.error(`--old is missing.\n${USAGE}`)
  process.exit(1)
}
const old: typeof Servers = await import(resolve(given.old, 'test/support/server.ts'))
const count = Number(given.captures)
const { token, scope }: Expected = await Bun.file(EXPECTED).json()
const env = { DICTATION_TOKEN: 'auto', DICTATION_LOG_LEVEL: 'info' }
const options = { env, readyWithinMs: READY_WITHIN_MS }

const root = await mkdtemp(join(tmpdir(), 'dictation-many-'))
process.on('exit', tidyUp)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const dataFolder = join(root, 'data')
const unpacked = await unpackFolder()
const made = await multiply(await unpacked.copy(), dataFolder, { count, work: scope.work })
await unpacked[Symbol.asyncDispose]()
console.log(`${made} captures in ${dataFolder}`)

const before = await beforeUpgrade()
const after = await afterUpgrade(before.jobIds)
const lost = differences(before.sample, after.sample)
const missing = after.missingJobs
for (const line of lost) console.log(line)
for (const id of missing) console.log(`job ${id} is lost`)
if (given.keep) console.log(`The folder is ${dataFolder}.`)
console.log(
  lost.length + missing.length === 0 ? 'Nothing was lost.' : `${lost.length + missing.length} differences.`,
)
process.exit(lost.length + missing.length === 0 ? 0 : 1)

/** The old version indexes the records, and is killed while jobs and a batch run. */
async function beforeUpgrade() {
  const { server, client, seconds } = await started(old.startServer)
  await report('old version, first start', server, seconds)
  const engines = await stopEngine(server)
  await client.post('/captures/retranscribe', { filter: { source: 'file' }, model: 'tiny.en' })
  const sample = await sampleOf(client, scope)
  const jobIds = (await Promise.all(UNFINISHED.map((state) => jobsIn(client, state)))).flat()
  await server.kill()
  killEngines(engines)
  return { sample, jobIds }
}

async function afterUpgrade(jobIds: string[]) {
  const { server, client, seconds } = await started(startServer)
  await report('this version, first start', server, seconds)
  const engines = await stopEngine(server)
  const sample = await sampleOf(client, scope)
  const missingJobs: string[] = []
  for (const id of jobIds) if (!(await client.send('GET', `/jobs/${id}`)).ok) missingJobs.push(id)
  await report('this version, after the sample', server, seconds)
  await server.kill()
  killEngines(engines)
  const again = await started(startServer)
  await report('this version, second start', again.server, again.seconds)
  await again.server.kill()
  return { sample, missingJobs }
}

async function started(start: typeof startServer) {
  const beganAt = performance.now()
  const server = await start({ ...options, dataFolder })
  return { server, client: clientOf(server, token), seconds: (performance.now() - beganAt) / 1000 }
}

/** Prevents jobs from changing captures during the comparison. */
async function stopEngine({ pid }: RunningServer): Promise<number[]> {
  const engines = await until(() => {
    const found = childrenOf(pid).filter((child) => roleOf(child) === 'engine')
    return found.length > 0 ? found : null
  })
  for (const engine of engines) process.kill(engine, 'SIGSTOP')
  return engines
}

/** The server may have replaced an engine that did not respond. */
function killEngines(engines: number[]): void {
  for (const pid of engines) if (isRunning(pid) && roleOf(pid) === 'engine') process.kill(pid, 'SIGKILL')
}

async function jobsIn({ get }: Client, state: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += 200) {
    const { items } = await get(`/jobs?state=${state}&limit=200&offset=${offset}`)
    ids.push(...items.map(({ id }: Json) => id))
    if (items.length < 200) return ids
  }
}

/** Removes all servers, stopped engines and, without --keep, the folder. */
function tidyUp(): void {
  for (const server of childrenOf('self').filter(isRunning))
    for (const pid of [server, ...childrenOf(server)]) process.kill(pid, 'SIGKILL')
  if (!given.keep) rmSync(root, { recursive: true, force: true, maxRetries: 10 })
}

async function memoryOf(pid: number): Promise<string> {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return `${Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)} MB peak`
}

async function report(what: string, { pid }: RunningServer, seconds: number): Promise<void> {
  console.log(`${what}: ready after ${seconds.toFixed(1)} s, ${await memoryOf(pid)}`)
}
