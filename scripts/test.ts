// Runs `bun test` with all, the selected, or the unit tests, and prints how to rerun each failure alone. All arguments
// except --unit go to `bun test`.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Lane, lanesOf } from './test/lanes.ts'
import { memoryFolder } from './test/memory-folder.ts'
import { howToRunAlone } from './test/run-alone.ts'
import { unitTests } from './test/unit-tests.ts'

/** A test that starts servers may take minutes; each wait in it has its own deadline. */
const LONGEST_MS = '300000'
/**
 * For unit tests while developing: properties are tried briefly, long tests are skipped, and files share their imports.
 */
const QUICK = { TESTS: 'quick' }
/** Servers of parallel lanes: their threads would spin and take CPU time from each other. */
const SIDE_BY_SIDE = { DICTATION_THREADS: '1' }

/** An explicit TMPDIR is respected. */
async function temporaryFolder(): Promise<{ TMPDIR?: string }> {
  const folder = process.env.TMPDIR ? null : await memoryFolder()
  return folder === null ? {} : { TMPDIR: folder }
}

const unitLane = async (given: string[]): Promise<[Lane]> => [
  { options: ['--no-isolate', ...given], files: await unitTests() },
]

async function main(args: string[]): Promise<number> {
  const given = args.filter((arg) => arg !== '--unit')
  const isUnit = given.length < args.length
  const lanes = isUnit ? await unitLane(given) : await lanesOf(given, process.cwd())
  const env = {
    ...(lanes.length > 1 && SIDE_BY_SIDE),
    ...process.env,
    ...(await temporaryFolder()),
    ...(isUnit && QUICK),
  }
  const folder = await mkdtemp(join(tmpdir(), 'dictation-report-'))
  const reportOf = (index: number) => join(folder, `${index}.xml`)
  const saidOf = (index: number) => join(folder, `${index}.txt`)
  const running: Bun.Subprocess[] = []
  for (const [index, { options, files }] of lanes.entries()) {
    const reported = ['--reporter=junit', `--reporter-outfile=${reportOf(index)}`]
    const command = [process.execPath, 'test', '--timeout', LONGEST_MS, ...reported, ...options, ...files]
    // Parallel output would be interleaved: the first lane prints as it runs, the others when the first has ended.
    await using said = index === 0 ? null : await open(saidOf(index), 'w')
    const output = said?.fd ?? 'inherit'
    running.push(Bun.spawn(command, { env, stdio: ['inherit', output, output] }))
  }
  const kill = (signal: NodeJS.Signals) => {
    for (const child of running) child.kill(signal)
  }
  // In a terminal Ctrl-C reaches the tests by itself.
  process.on('SIGINT', () => process.stdin.isTTY || kill('SIGINT'))
  process.on('SIGTERM', () => kill('SIGTERM'))
  const codes: number[] = []
  const alone: string[] = []
  for (const [index, child] of running.entries()) {
    codes.push(await child.exited)
    if (index > 0) await Bun.write(Bun.stderr, await textOf(saidOf(index)))
    alone.push(...howToRunAlone(await textOf(reportOf(index))))
  }
  await rm(folder, { recursive: true })
  if (alone.length > 0) console.error(`\nTo rerun the failed tests alone:\n  ${alone.join('\n  ')}`)
  return codes.find((code) => code !== 0) ?? 0
}

/** An interrupted run may have left no report. */
const textOf = (path: string): Promise<string> =>
  Bun.file(path)
    .text()
    .catch(() => '')

process.exit(await main(process.argv.slice(2)))
