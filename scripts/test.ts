// Runs `bun test` in stages of parallel lanes, and prints how to rerun each failure alone.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryFolder } from './test/memory-folder.ts'
import { type Counts, countsIn, howToRunAlone, summaryOf } from './test/report.ts'
import { type Lane, stagesOf } from './test/stages.ts'

const usage = `usage: npm test -- [--unit | --rest | --all] [options and files of bun test]
Runs all tests that need no whole server, browser or long time.
  --unit   only those without processes, database, network and models: half a minute
  --rest   what a run without options leaves out
  --all    every test, in full
With files or options of bun test it runs those, for example: npm test -- test/text/numbers -t thousand`

/** A test that starts servers may take minutes; each wait in it has its own deadline. */
const LONGEST_MS = '300000'
/** Servers of parallel lanes: their threads would spin and take CPU time from each other. */
const SIDE_BY_SIDE = { DICTATION_THREADS: '1' }

/** An explicit TMPDIR is respected. */
async function temporaryFolder(): Promise<{ TMPDIR?: string }> {
  const folder = process.env.TMPDIR ? null : await memoryFolder()
  return folder === null ? {} : { TMPDIR: folder }
}

const WHY_SKIPPED =
  'Skipped tests need a system, a user, a tool or a database (Linux, root, npm run tools, Postgres) that this run lacks.'

type Ended = { code: number; alone: string[]; counts: Counts[] }

async function runStage(lanes: readonly Lane[], temporary: { TMPDIR?: string }): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-report-'))
  const reportOf = (index: number) => join(folder, `${index}.xml`)
  const saidOf = (index: number) => join(folder, `${index}.txt`)
  const running: Bun.Subprocess[] = []
  for (const [index, { options, files, isQuick }] of lanes.entries()) {
    const reported = ['--reporter=junit', `--reporter-outfile=${reportOf(index)}`]
    const command = [process.execPath, 'test', '--timeout', LONGEST_MS, ...reported, ...options, ...files]
    const env = {
      ...(lanes.length > 1 && SIDE_BY_SIDE),
      ...process.env,
      ...temporary,
      ...(isQuick && { TESTS: 'quick' }),
    }
    // Parallel output would be interleaved: the first lane prints as it runs, the others when the first has ended.
    await using said = index === 0 ? null : await open(saidOf(index), 'w')
    const output = said?.fd ?? 'inherit'
    running.push(Bun.spawn(command, { env, stdio: ['inherit', output, output] }))
  }
  const kill = (signal: NodeJS.Signals) => {
    for (const child of running) child.kill(signal)
  }
  // In a terminal Ctrl-C reaches the tests by itself.
  const interrupt = () => process.stdin.isTTY || kill('SIGINT')
  const terminate = () => kill('SIGTERM')
  process.on('SIGINT', interrupt).on('SIGTERM', terminate)
  const ended: Ended = { code: 0, alone: [], counts: [] }
  for (const [index, child] of running.entries()) {
    const code = await child.exited
    ended.code ||= code
    if (index > 0) await Bun.write(Bun.stderr, await textOf(saidOf(index)))
    const report = await textOf(reportOf(index))
    ended.alone.push(...howToRunAlone(report))
    const counts = countsIn(report)
    // With -t the report counts the tests of other names as skipped.
    ended.counts.push(lanes[index]!.options.includes('-t') ? { ...counts, skipped: 0 } : counts)
  }
  process.off('SIGINT', interrupt).off('SIGTERM', terminate)
  await rm(folder, { recursive: true })
  return ended
}

/** An interrupted run may have left no report. */
const textOf = (path: string): Promise<string> =>
  Bun.file(path)
    .text()
    .catch(() => '')

/** Exit codes of a process that a signal ended begin here. */
const BY_SIGNAL = 128

async function main(given: string[]): Promise<number> {
  if (given.includes('--help')) {
    console.log(usage)
    return 0
  }
  const temporary = await temporaryFolder()
  const stages: Ended[] = []
  for (const lanes of await stagesOf(given, process.cwd())) {
    stages.push(await runStage(lanes, temporary))
    if ((stages.at(-1)?.code ?? 0) > BY_SIGNAL) break
  }
  const alone = stages.flatMap((ended) => ended.alone)
  if (alone.length > 0) console.error(`\nTo rerun the failed tests alone:\n  ${alone.join('\n  ')}`)
  const counts = stages.flatMap((stage) => stage.counts)
  if (counts.some(({ skipped }) => skipped > 0)) console.error(`\n${WHY_SKIPPED}`)
  console.error(`\n${summaryOf(counts)}`)
  return stages.find(({ code }) => code !== 0)?.code ?? 0
}

process.exit(await main(process.argv.slice(2)))
