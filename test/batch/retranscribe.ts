// Retranscribes thousands of captures with the real command and the real server, kills both on the way, and prints their
// memory. Exits with 1 if a capture was transcribed twice or not at all.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { countTranscriptions, MODEL, makeCaptures } from './many-captures.ts'

const usage = `usage: npm run torture -- batch [--captures N] [--short]
Transcribes N captures of half a second of silence (10000; --short 400) again with dictation retranscribe.
Kills the command after a fifth of them and the server after two fifths, and starts each again.
Measures memory growth in the second half.`

const values = optionsOrExit({ captures: { type: 'string' }, short: { type: 'boolean' } }, usage)
const captures = Number(values.captures ?? (values.short ? 400 : 10_000))
if (!(captures >= 50)) {
  console.error(`--captures must be at least 50.\n${usage}`)
  process.exit(2)
}

const PATIENCE_MS = 6 * 3_600_000
const SAMPLE_EVERY_MS = 2000
const program = resolve(import.meta.dir, '../../src/cli/main.ts')

/** Resident memory in megabytes; null if the process has ended. */
function residentMb(pid: number): number | null {
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)])
  const kilobytes = Number(stdout.toString().trim())
  return kilobytes > 0 ? kilobytes / 1024 : null
}

type Progress = { event: string; batch_id?: string; completed?: number; failed?: number; state?: string }

/** Starts the command as cron does, and stores its last event of each kind. */
function launch(url: string) {
  const child = Bun.spawn(
    [process.execPath, program, 'retranscribe', '--all', '--again', '--model', MODEL, '--server', url],
    {
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  const last = new Map<string, Progress>()
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const progress = JSON.parse(line) as Progress
        last.set(progress.event, progress)
      }
    }
  })()
  const done = () => last.get('ended')?.completed ?? last.get('progress')?.completed ?? 0
  return { child, last, done, reading }
}
type Script = ReturnType<typeof launch>

const reach = (run: Script, count: number) =>
  until(() => run.done() >= count || run.child.exitCode !== null, {
    timeoutMs: PATIENCE_MS,
    what: `${count} captures to be done`,
  })

type Sample = { done: number; seconds: number; server: number; script: number }

/** Samples memory until the script ends. */
async function watch(run: Script, server: RunningServer): Promise<Sample[]> {
  const samples: Sample[] = []
  const begun = performance.now()
  while (run.child.exitCode === null) {
    const [ofServer, ofScript] = [residentMb(server.pid), residentMb(run.child.pid)]
    const seconds = (performance.now() - begun) / 1000
    if (ofServer !== null && ofScript !== null)
      samples.push({ done: run.done(), seconds, server: ofServer, script: ofScript })
    await Promise.race([run.child.exited, Bun.sleep(SAMPLE_EVERY_MS)])
  }
  return samples
}

/** Growth in megabytes for each thousand captures, by least squares. */
function growth(samples: Sample[], of: 'server' | 'script'): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [x, y] = [mean(samples.map(({ done }) => done)), mean(samples.map((sample) => sample[of]))]
  const spread = mean(samples.map(({ done }) => (done - x) ** 2))
  return (1000 * mean(samples.map((sample) => (sample.done - x) * (sample[of] - y)))) / (spread || 1)
}

function printSamples(samples: Sample[]): void {
  const every = Math.max(1, Math.floor(samples.length / 10))
  for (const [index, { done, seconds, server, script: own }] of samples.entries())
    if (index % every === 0 || index === samples.length - 1)
      console.log(
        `${done} done after ${seconds.toFixed(0)} s: server ${server.toFixed(0)} MB, script ${own.toFixed(0)} MB`,
      )
}

async function main(): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-batch-'))
  const start = (port: string) =>
    startServer({ dataFolder, env: { PORT: port, DICTATION_LOG_LEVEL: 'info' }, readyWithinMs: PATIENCE_MS })
  console.log(`creating ${captures} captures …`)
  await makeCaptures(dataFolder, captures)
  const begun = performance.now()
  let server = await start('0')
  console.log(
    `server ready, all captures indexed, after ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  )
  const { port } = new URL(server.url)

  const first = launch(server.url)
  await reach(first, captures / 5)
  first.child.kill('SIGKILL')
  await first.child.exited
  console.log(`killed the script at ${first.done()}`)
  const second = launch(server.url)
  await reach(second, (captures * 2) / 5)
  await server.kill()
  console.log(`killed the server at ${second.done()}`)
  server = await start(port)
  const samples = await watch(second, server)
  await second.reading
  const code = await second.child.exited
  const batchOf = (run: Script) => run.last.get('begun')?.batch_id
  const joined = batchOf(first) === batchOf(second)
  const ended = second.last.get('ended')
  await server.stop()

  const found = await countTranscriptions(dataFolder)
  await rm(dataFolder, { recursive: true, force: true })
  const late = samples.filter(({ done }) => done >= captures / 2)
  printSamples(samples)
  for (const of of ['server', 'script'] as const)
    console.log(`${of}: ${growth(late, of).toFixed(1)} MB of growth for each thousand captures`)
  console.log(`exit code ${code}; one batch for both runs: ${joined}; last event ${JSON.stringify(ended)}`)
  for (const [times, count] of found) console.log(`${count} captures were retranscribed ${times} times`)
  const isRight = code === 0 && joined && found.get(1) === captures && ended?.completed === captures
  return isRight ? 0 : 1
}

process.exit(await main())
