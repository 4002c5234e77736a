// Runs the tests as `bun test` does: all, those it is asked for, or the unit tests; says in the end how to run alone what failed.
// What is given on the command line is for `bun test`, but for --unit.

import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Lane, lanesOf } from './test/lanes.ts'
import { memoryFolder } from './test/memory-folder.ts'
import { howToRunAlone } from './test/run-alone.ts'
import { unitTests } from './test/unit-tests.ts'

/** A test of whole servers may wait for minutes; each wait in it has a deadline of its own. */
const LONGEST_MS = '300000'
/** Unit tests are run while one writes: properties try for a moment, lengths are left out, files share what they import. */
const QUICK = { TESTS: 'quick' }
/** Servers of lanes side by side: a thread that waits for another of its own takes time from theirs. */
const SIDE_BY_SIDE = { DICTATION_THREADS: '1' }

/** Whoever names one is heeded. */
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
    // What two write at once cannot be read: the first is seen as it runs, another when the first has ended.
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
  if (alone.length > 0) console.error(`\nTo run alone what failed:\n  ${alone.join('\n  ')}`)
  return codes.find((code) => code !== 0) ?? 0
}

/** Of a run that broke off there may be none. */
const textOf = (path: string): Promise<string> =>
  Bun.file(path)
    .text()
    .catch(() => '')

process.exit(await main(process.argv.slice(2)))
