// What `npm test` adds to `bun test`: how to rerun a failure alone, which tests run, and in which order. Runs on tests
// made for it and on the project's own.

import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Glob } from 'bun'
import { stagesOf } from '../../scripts/test/stages.ts'
import { testsByTier } from '../../scripts/test/tiers.ts'

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
    `To rerun the failed tests alone:\n  npm test -- some.test.ts -t 'one'\\''s \\(first\\) & last'\n\n1 passed, 1 failed\n`,
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
const SUPPORT = {
  'test/support/server.ts': 'export const startServer = 1\n',
  'test/support/microphone-browser.ts': 'export const say = 1\n',
}
const whole = (text: string) => `import { startServer } from './support/server.ts'\nvoid startServer\n${text}`
const spoken = (text: string) =>
  whole(`import { say } from './support/microphone-browser.ts'\nvoid say\n${text}`)

test('a failure in the second lane fails the run, is printed in full and has its command', async () => {
  const { code, said } = await runTests(
    { ...SUPPORT, 'test/some.test.ts': whole(PASSING), 'test/spoken.test.ts': spoken(FAILING) },
    '--rest',
  )
  expect(code).toBe(1)
  expect(said.match(/^ \d+ (pass|fail)$/gm)).toEqual([' 1 pass', ' 0 fail', ' 1 pass', ' 1 fail'])
  expect(said).toContain("(fail) one's (first) & last")
  expect(said).toContain(` -t 'one'\\''s \\(first\\) & last'\n`)
  expect(said).toEndWith('\n2 passed, 1 failed\n')
})

test('a failure in the first stage fails the run although the second passes', async () => {
  const { code, said } = await runTests({
    ...SUPPORT,
    'test/some.test.ts': FAILING,
    'test/started.test.ts': `void (() => Bun.spawn(['true']))\n${PASSING}`,
    'test/whole.test.ts': whole(FAILING),
  })
  expect(code).toBe(1)
  expect(said).toContain('npm test -- test/some.test.ts -t ')
  expect(said).not.toContain('test/whole.test.ts')
  expect(said).toEndWith('\n2 passed, 1 failed\n')
})

const project = resolve(import.meta.dir, '../..')
const testsOf = async (...given: string[]) =>
  (await stagesOf(given, project)).flat().flatMap(({ files }) => files)

test('a run without options and one with --rest are all tests together', async () => {
  const all = await Array.fromAsync(new Glob('test/**/*.test.ts').scan({ cwd: project }))
  const [quick, rest] = [await testsOf(), await testsOf('--rest')]
  expect([...new Set([...quick, ...rest])].sort()).toEqual(all.sort())
  expect((await testsOf('--all')).sort()).toEqual(all.sort())
  expect(quick).toContain('test/captures/search.test.ts')
  expect(rest).toContain('test/api/live.test.ts')
  expect(quick).not.toContain('test/api/live.test.ts')
  // Properties, which a run without options tries only briefly.
  expect(rest).toContain('test/text/refinement/refine-properties.test.ts')
})

test('tests that record from a microphone have a lane of their own', async () => {
  const [[, recording] = []] = await stagesOf(['--rest'], project)
  expect(recording?.files).toContain('test/browser/page-record.test.ts')
  expect(recording?.files.length).toBeLessThan(10)
})

test('a selection of tests, or other options, run in one lane as in bun test', async () => {
  const given = ['test/browser', '--rerun-each', '3']
  expect(await stagesOf(given, project)).toEqual([[{ options: given, files: [], isQuick: false }]])
})

test('unit tests start nothing and read nothing large, not even through distant imports', async () => {
  const { unit } = await testsByTier(project)
  // One without imports, one over much of src, one of the API.
  expect(unit).toContain('test/lib/uuid.test.ts')
  expect(unit).toContain('test/text/refinement/refine-pairs.test.ts')
  expect(unit).toContain('test/http/server/guard.test.ts')
  const others = {
    process: 'test/scripts/test.test.ts',
    server: 'test/api/captures.test.ts',
    database: 'test/captures/search.test.ts',
    decoder: 'test/audio/decode.test.ts',
    threads: 'test/engine/whisper/model-layers.test.ts',
    browser: 'test/engine/rounding-shout.test.ts',
    socket: 'test/llm/llm-client.test.ts',
    model: 'test/engine/whisper/reference/whisper.test.ts',
  }
  expect(Object.values(others).filter((test) => unit.includes(test))).toEqual([])
  expect(unit.length).toBeGreaterThan(80)
})
