// Everything that `npm test` leaves out: lint, types, whole servers, browsers, Postgres, harnesses and benchmarks in
// short form. Prints the output of one step as it runs, of those beside it when they end, and a summary at the end.

import { resolve } from 'node:path'
import { optionsOrExit } from './options.ts'
import { type Counts, summaryIn, summaryOf } from './test/report.ts'

const usage = `usage: npm run check -- [--only NAME]
Runs all checks that npm test leaves out: about half an hour on two cores. Tests that miss a tool (Chromium, Postgres,
strace, libfaketime) say that they are skipped.`

const { only } = optionsOrExit({ only: { type: 'string' } }, usage)

const project = resolve(import.meta.dir, '..')
const torture = (...args: string[]) => ['scripts/torture.ts', ...args, '--short']
const TESTS_OF_DATABASE = [
  'db',
  'captures',
  'jobs',
  'writing',
  'commands',
  'dictation',
  'api/captures.test.ts',
  'api/store.test.ts',
]

type Step = { name: string; command: string[] }
/** Steps one after the other. */
type Row = Step[]

const bun = (name: string, ...args: string[]): Step => ({ name, command: [process.execPath, ...args] })
const tool = (name: string, ...args: string[]): Step => ({
  name,
  command: ['node', 'scripts/tool.mjs', ...args],
})
const harness = (name: string, ...options: string[]) => bun(name, ...torture(name, ...options))

/** Groups one after the other, each of rows side by side that take about as long. */
const GROUPS: Row[][] = [
  [
    [bun('tests of servers and browsers', 'scripts/test.ts', '--rest')],
    [
      tool('lint', 'biome', 'check', '.'),
      tool('types', 'tsc', '--noEmit'),
      bun(
        'tests on Postgres',
        'test/support/postgres.ts',
        ...[process.execPath, 'scripts/test.ts', ...TESTS_OF_DATABASE.map((path) => `test/${path}`)],
      ),
      harness('crash'),
      harness('children'),
      harness('strangers'),
      harness('clock'),
      harness('soak'),
      harness('fuzz', '--limit-ms', '20000'),
    ],
  ],
  [
    [harness('powercut'), harness('damaged-models'), harness('machines')],
    [harness('every-call'), harness('pages')],
  ],
  // These measure, so nothing runs beside them; speed is not judged here, because the machine may be slow.
  [
    [
      harness('load', '--usual-ms', '2000'),
      harness('bodies', '--longest-ms', '2000'),
      bun('bench', 'scripts/bench.ts', 'server', '--short'),
    ],
  ],
]

type Outcome = { name: string; counts: Counts; failures: string[] }

/** Both outputs of a command in one, in order. */
const AS_ONE_OUTPUT = ['sh', '-c', 'exec "$@" 2>&1', 'sh']

async function run({ name, command }: Step, isLive: boolean): Promise<Outcome> {
  const began = performance.now()
  console.log(`-- ${name} …`)
  const child = Bun.spawn([...AS_ONE_OUTPUT, ...command], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += part
    if (isLive) process.stdout.write(part)
  }
  const code = await child.exited
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`${isLive ? '' : text}== ${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  const isGood = code === 0
  const counts = summaryIn(text) ?? { passed: isGood ? 1 : 0, failed: 0, skipped: 0 }
  // A step that died without counting its failure has failed all the same.
  if (!isGood) counts.failed = Math.max(counts.failed, 1)
  return { name, counts, failures: isGood ? [] : failuresIn(text) }
}

/** Enough for an error of a harness with its stack. */
const LAST_LINES = 25

/** @returns failed tests with their errors, or the last lines if there are none: a harness explains itself at its end */
function failuresIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const tests = new Set<string>()
  let error = ''
  for (const line of lines) {
    if (line.startsWith('error: ')) error = `\n    ${line}`
    if (line.startsWith('(fail)')) tests.add(line + error)
    if (/^\((fail|pass|skip)\)/.test(line)) error = ''
  }
  return tests.size > 0 ? [...tests] : lines.slice(-LAST_LINES)
}

async function main(): Promise<number> {
  const outcomes: Outcome[] = []
  const wanted = (step: Step) => only === undefined || step.name === only
  for (const rows of GROUPS)
    await Promise.all(
      rows.map(async (row, index) => {
        for (const step of row.filter(wanted)) outcomes.push(await run(step, index === 0))
      }),
    )
  if (outcomes.length === 0) {
    const names = GROUPS.flat(2).map(({ name }) => name)
    console.error(`There is no step "${only}". The steps are: ${names.join(', ')}.\n${usage}`)
    return 2
  }
  const failed = outcomes.filter(({ counts }) => counts.failed > 0)
  for (const { name, failures } of failed) console.log([`FAILED: ${name}`, ...failures].join('\n  '))
  console.log(summaryOf(outcomes.map(({ counts }) => counts)))
  return failed.length === 0 ? 0 : 1
}

process.exit(await main())
