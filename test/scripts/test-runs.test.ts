// What `npm test` and `npm run test:unit` add to `bun test`: how to run alone what failed, and which tests are unit tests.
// The runner is run on tests made for it; the choice is looked at on the project's own.

import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unitTests } from '../../scripts/test/unit-tests.ts'

const runner = resolve(import.meta.dir, '../../scripts/test.ts')

async function runTest(text: string, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-runner-'))
  await writeFile(join(folder, 'some.test.ts'), `import { expect, test } from 'bun:test'\n${text}`)
  const child = Bun.spawnSync([process.execPath, runner, ...args], { cwd: folder })
  await rm(folder, { recursive: true })
  return { code: child.exitCode, said: child.stderr.toString() }
}

const FAILING = `test("one's (first) & last", () => expect(1).toBe(2))\ntest('another', () => expect(1).toBe(1))\n`

test('a test that fails says what to type to run it alone', async () => {
  const { code, said } = await runTest(FAILING)
  expect(code).toBe(1)
  expect(said).toEndWith(
    `To run alone what failed:\n  npm test -- some.test.ts -t 'one'\\''s \\(first\\) & last'\n`,
  )
})

test('what it says to type runs that test and no other', async () => {
  const { code, said } = await runTest(FAILING, 'some.test.ts', '-t', "one's \\(first\\) & last")
  expect(code).toBe(1)
  expect(said).toContain(' 1 fail\n')
  expect(said).not.toContain('(pass)')
})

test('a run without failures says nothing about them', async () => {
  const { code, said } = await runTest(`test('another', () => expect(1).toBe(1))\n`, '-t', 'another')
  expect(code).toBe(0)
  expect(said).not.toContain('To run alone')
})

test('unit tests are those that start, open and read nothing large, however far from them that is done', async () => {
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
