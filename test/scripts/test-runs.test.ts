// What `npm test` and `npm run test:unit` add to `bun test`: how to rerun a failure alone, which tests are unit tests,
// and a lane for those that record. Runs on tests made for it and on the project's own.

import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'
import { lanesOf } from '../../scripts/test/lanes.ts'
import { unitTests } from '../../scripts/test/unit-tests.ts'

const runner = resolve(import.meta.dir, '../../scripts/test.ts')

const runTest = (text: string, ...args: string[]) => runTests({ 'some.test.ts': text }, ...args)

async function runTests(files: Record<string, string>, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-runner-'))
  for (const [name, text] of Object.entries(files))
    await Bun.write(join(folder, name), `import { expect, test } from 'bun:test'\n${text}`)
  const child = Bun.spawnSync([process.execPath, runner, ...args], { cwd: folder })
  await rm(folder, { recursive: true })
  return { code: child.exitCode, said: child.stderr.toString() }
}

const FAILING = `test("one's (first) & last", () => expect(1).toBe(2))\ntest('another', () => expect(1).toBe(1))\n`

test('a failing test prints the command that runs it alone', async () => {
  const { code, said } = await runTest(FAILING)
  expect(code).toBe(1)
  expect(said).toEndWith(
    `To rerun the failed tests alone:\n  npm test -- some.test.ts -t 'one'\\''s \\(first\\) & last'\n`,
  )
})

test('that command runs the test and no other', async () => {
  const { code, said } = await runTest(FAILING, 'some.test.ts', '-t', "one's \\(first\\) & last")
  expect(code).toBe(1)
  expect(said).toContain(' 1 fail\n')
  expect(said).not.toContain('(pass)')
})

test('a run without failures prints no command', async () => {
  const { code, said } = await runTest(`test('another', () => expect(1).toBe(1))\n`, '-t', 'another')
  expect(code).toBe(0)
  expect(said).not.toContain('To rerun the failed tests')
})

const PASSING = `test('another', () => expect(1).toBe(1))\n`
const SPEAKING = { 'test/support/microphone-browser.ts': 'export const say = 1\n' }
const spoken = (text: string) => `import { say } from './support/microphone-browser.ts'\nvoid say\n${text}`

test('a failure in the second lane fails the run, is printed in full and has its command', async () => {
  const { code, said } = await runTests(
    { ...SPEAKING, 'test/some.test.ts': PASSING, 'test/spoken.test.ts': spoken(FAILING) },
    '--parallel=2',
  )
  expect(code).toBe(1)
  expect(said.match(/^ \d+ (pass|fail)$/gm)).toEqual([' 1 pass', ' 0 fail', ' 1 pass', ' 1 fail'])
  expect(said).toContain("(fail) one's (first) & last")
  expect(said).toEndWith(` -t 'one'\\''s \\(first\\) & last'\n`)
})

test('a failure in the first lane fails the run although the other passes', async () => {
  const { code, said } = await runTests({
    ...SPEAKING,
    'test/some.test.ts': FAILING,
    'test/spoken.test.ts': spoken(PASSING),
  })
  expect(code).toBe(1)
  expect(said).toContain('npm test -- test/some.test.ts -t ')
})

test('a whole run has a separate lane for tests that use a microphone, and every test is in one lane', async () => {
  const project = resolve(import.meta.dir, '../..')
  const [others, speaking, ...more] = await lanesOf(['--parallel=2'], project)
  expect(more).toEqual([])
  expect(speaking?.files).toContain('test/browser/page-record.test.ts')
  expect(speaking?.files.length).toBeLessThan(10)
  const all = await Array.fromAsync(new Glob('test/**/*.test.ts').scan({ cwd: project }))
  expect([...others.files, ...(speaking?.files ?? [])].sort()).toEqual(all.sort())
})

test('a selection of tests, or other options, run in one lane as in bun test', async () => {
  const given = ['--parallel=2', 'test/browser', '--rerun-each', '3']
  expect(await lanesOf(given, resolve(import.meta.dir, '../..'))).toEqual([{ options: given, files: [] }])
})

test('unit tests start nothing and read nothing large, not even through distant imports', async () => {
  const unit = await unitTests()
  // One without imports, one over much of src, one of the API.
  expect(unit).toContain('test/lib/uuid.test.ts')
  expect(unit).toContain('test/text/refinement/pairs.test.ts')
  expect(unit).toContain('test/http/guard.test.ts')
  const others = {
    process: 'test/scripts/test-runs.test.ts',
    server: 'test/api/captures.test.ts',
    database: 'test/captures/search.test.ts',
    decoder: 'test/audio/decode.test.ts',
    threads: 'test/engine/whisper/layers.test.ts',
    browser: 'test/engine/rounding-shout.test.ts',
    socket: 'test/llm/llm-client.test.ts',
    model: 'test/engine/whisper/reference.test.ts',
  }
  expect(Object.values(others).filter((test) => unit.includes(test))).toEqual([])
  expect(unit.length).toBeGreaterThan(80)
})
