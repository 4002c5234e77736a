// Runs the real server under wrong, changed and corrected clocks (libfaketime), and checks that nothing is lost.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markdownTable, writeSection } from '../../scripts/bench/report.ts'
import { optionsOrExit } from '../../scripts/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { type FakedClock, fakedClock, findLibrary } from './faked-clock.ts'

const USAGE = `usage: npm run torture -- clock [--short]
Needs libfaketime (Debian: apt-get install faketime); skipped without it.
--short uploads less and does not write RELIABILITY.md.`

const HOUR = 3600
const DAY = 24 * HOUR
const AHEAD = 400 * DAY
const RECORDING = 'short-01.flac'
const PATIENCE = { timeoutMs: 120_000 }

// biome-ignore lint/suspicious/noExplicitAny: responses are checked below
type Json = any

type Case = { what: string; result: string }

const values = optionsOrExit({ short: { type: 'boolean' } }, USAGE)
const uploads = values.short ? 1 : 8
/** More than the number of workers, so that some wait. */
const UPLOADS_THAT_WAIT = 7
const broken: string[] = []
const cases: Case[] = []
/** ids of acknowledged captures, in order */
const witness: string[] = []

const found = findLibrary()
if (found === null) {
  console.log('skipped: libfaketime is not installed')
  process.exit(0)
}
const library = found
const folder = await mkdtemp(join(tmpdir(), 'dictation-clock-'))
const dataFolder = join(folder, 'data')
const bytes = await recordingFile(RECORDING).arrayBuffer()
const sha256 = (of: ArrayBuffer) => new Bun.CryptoHasher('sha256').update(of).digest('hex')
const hash = sha256(bytes)

let running: RunningServer | null = null
process.on('exit', () => {
  if (running !== null) process.kill(running.pid, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void rm(folder, { recursive: true, force: true }).then(() => process.exit(1)))

const json = async (path: string, init?: RequestInit): Promise<Json> =>
  (await fetch(`${running!.url}${path}`, init)).json()

async function upload(): Promise<string> {
  const form = new FormData()
  form.set('file', new File([bytes], RECORDING))
  const { id } = await json('/captures?wait=false', { method: 'POST', body: form })
  witness.push(id)
  return id
}

const uploadSome = async (count = uploads): Promise<string[]> => {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push(await upload())
  return ids
}

function expectThat(holds: boolean, what: string): void {
  if (!holds) broken.push(what)
}

/** Every acknowledged capture completes once, with its text and audio. */
async function expectAllDone(when: string): Promise<void> {
  const unfinished = async () => {
    const [pending, transcribing, refining] = await Promise.all(
      ['pending', 'transcribing', 'refining'].map((status) => json(`/captures?limit=1&status=${status}`)),
    )
    return pending.total + transcribing.total + refining.total
  }
  const over = await until(async () => (await unfinished()) === 0, { ...PATIENCE, what: 'all jobs' }).then(
    () => true,
    () => false,
  )
  expectThat(over, `${when}: waiting jobs are not delivered`)
  for (const id of witness) {
    const capture = await json(`/captures/${id}`)
    expectThat(capture.status === 'completed', `${when}: ${id} is ${capture.status ?? capture.code}`)
    const { versions = [] } = capture
    expectThat(versions.length === 0, `${when}: ${id} was transcribed more than once`)
    const audio = await fetch(`${running!.url}/captures/${id}/audio`)
    expectThat(sha256(await audio.arrayBuffer()) === hash, `${when}: the audio of ${id} differs`)
  }
  const { total } = await json('/captures?limit=1')
  expectThat(total === witness.length, `${when}: ${total} captures, ${witness.length} acknowledged`)
}

/** Captures that were uploaded one after another under a steady clock are listed in that order. */
async function expectOrder(ids: string[], when: string): Promise<void> {
  const { items } = await json(`/captures?limit=200&sort=created_at`)
  const listed = items.map((one: Json) => one.id).filter((id: string) => ids.includes(id))
  expectThat(Bun.deepEquals(listed, ids), `${when}: not in upload order`)
}

async function withServer(clock: FakedClock, extra: Record<string, string>, work: () => Promise<void>) {
  running = await startServer({ dataFolder, env: { ...clock.env, ...extra } })
  try {
    await work()
  } finally {
    await running.stop()
    running = null
  }
}

const clockFile = join(folder, 'clock')

async function inState(
  what: string,
  {
    seconds,
    passing = false,
    env = {},
  }: { seconds: number; passing?: boolean; env?: Record<string, string> },
  work: (clock: FakedClock) => Promise<string>,
): Promise<void> {
  const before = broken.length
  const clock = await fakedClock(clockFile, { library, passing })
  await clock.put(seconds)
  let outcome = ''
  await withServer(clock, env, async () => {
    outcome = await work(clock)
    await expectAllDone(what)
  })
  const result = broken.length === before ? outcome : `BROKEN: ${broken.slice(before).join('; ')}`
  cases.push({ what, result: `${witness.length} captures, ${result}` })
  console.log(`${what}: ${result}`)
}

const removalAnnounced = async (): Promise<boolean> =>
  (await json('/health')).warnings.some((one: Json) => one.code === 'removal_announced')

async function runAllStates(): Promise<void> {
  await inState('the clock is right', { seconds: 0, passing: true }, async (clock) => {
    await json('/settings/captures', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ retention_days: 30 }),
    })
    const ids = await uploadSome()
    await expectOrder(ids, 'right')
    await clock.put(HOUR + 60)
    expectThat(!(await removalAnnounced()), 'right: a removal was announced')
    return 'all done, in order'
  })

  await inState('started 400 days ahead, for two hours', { seconds: AHEAD, passing: true }, async (clock) => {
    const ids = await uploadSome()
    await expectAllDone('400 days ahead')
    await expectOrder(ids, '400 days ahead')
    await clock.put(AHEAD + HOUR + 60)
    const announced = await until(removalAnnounced, { ...PATIENCE, what: 'the announcement' }).catch(
      () => false,
    )
    expectThat(announced, '400 days ahead: the removal by retention was not announced')
    await clock.put(AHEAD + 2 * HOUR + 120)
    return 'none removed, the removal announced'
  })

  let waiting: string[] = []
  await inState('killed 400 days ahead while jobs wait', { seconds: AHEAD }, async () => {
    waiting = await uploadSome()
    await running!.kill()
    running = await startServer({
      dataFolder,
      env: (await fakedClock(clockFile, { library, passing: false })).env,
    })
    return `started with the right clock, ${waiting.length} jobs resumed`
  })

  await inState('right again', { seconds: 0, passing: true }, async (clock) => {
    await clock.put(HOUR + 60)
    await until(async () => !(await removalAnnounced()), {
      ...PATIENCE,
      what: 'the end of the announcement',
    }).catch(() => expectThat(false, 'right again: the announcement remains'))
    await uploadSome()
    return 'the announcement is gone'
  })

  const putWhileJobsWait = (what: string, jump: number) =>
    inState(`set ${what} while jobs wait`, { seconds: 0 }, async (clock) => {
      await uploadSome(UPLOADS_THAT_WAIT)
      await clock.put(jump)
      await upload()
      return 'all done'
    })
  await putWhileJobsWait('a day back', -DAY)

  if (values.short) return
  await putWhileJobsWait('a day forward', DAY)
  await inState('started a day behind', { seconds: -DAY }, async () => {
    await expectOrder(await uploadSome(), 'a day behind')
    return 'all done, in order'
  })

  for (const [what, moment] of [
    ['spring', '2026-03-29T00:59:57Z'],
    ['autumn', '2026-10-25T00:59:57Z'],
  ] as const) {
    const seconds = Math.round((Date.parse(moment) - Date.now()) / 1000)
    await inState(`summer time changes in ${what}`, { seconds, env: { TZ: 'Europe/Berlin' } }, async () => {
      const ids = await uploadSome()
      await until(() => Date.now() + seconds * 1000 > Date.parse(moment) + 4000, PATIENCE)
      ids.push(...(await uploadSome()))
      await expectOrder(ids, what)
      return 'all done, in order'
    })
  }
}

try {
  await runAllStates()
} catch (error) {
  broken.push(error instanceof Error ? error.message : String(error))
} finally {
  await rm(folder, { recursive: true, force: true })
}
console.log(`${witness.length} captures acknowledged, ${broken.length} promises broken`)
for (const what of broken) console.error(what)
if (!values.short && broken.length === 0)
  await writeSection({
    title: 'Clocks',
    command: 'npm run torture -- clock',
    how: 'Whatever the computer’s clock shows, nothing acknowledged is lost, no job runs twice or waits for a future day, captures are listed in the order of their creation, and retention removes nothing after a jump of the clock. The real server runs under libfaketime.',
    table: markdownTable(
      ['clock', 'result'],
      cases.map(({ what, result }) => [what, result]),
    ),
  })
process.exit(broken.length === 0 ? 0 : 1)
