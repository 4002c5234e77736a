import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readOptions } from '../../../scripts/client/options.ts'
import { testAtLength } from '../../support/at-length.ts'

const options = {
  all: { type: 'boolean' },
  ids: { type: 'string' },
  since: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const
const read = (...args: string[]) => readOptions(options, args)

test('accepts options in any order, with values after a space or an equals sign', () => {
  expect(read('one', '--since=2026-01-31', '--all', '--ids', 'a,b', '-h', 'two')).toEqual({
    ok: true,
    value: {
      values: Object.assign(Object.create(null), { since: '2026-01-31', all: true, ids: 'a,b', help: true }),
      positionals: ['one', 'two'],
    },
  })
  expect(read('--', '--all')).toMatchObject({ ok: true, value: { positionals: ['--all'] } })
})

const wrong: [why: string, args: string[], sentences: string[]][] = [
  ['an unknown option', ['--frobnicate', '-x'], ['Unknown option --frobnicate.', 'Unknown option -x.']],
  ['names of inherited properties', ['--constructor'], ['Unknown option --constructor.']],
  ['a typo', ['--sinse', '7d'], ['Unknown option --sinse; did you mean "--since"?']],
  ['an option without its value', ['--all', '--ids'], ['--ids needs a value.']],
  ['an option in the place of a value', ['--ids', '--all'], ['--ids needs a value.']],
  ['an empty value', ['--ids='], ['--ids needs a value.']],
  ['an unexpected value', ['--all=yes'], ['--all takes no value.']],
  ['an option that is given twice', ['--ids', 'a', '--ids', 'b'], ['--ids is given twice.']],
  [
    'several errors at once',
    ['--ids', '--every', '--all=1', '--since'],
    ['--ids needs a value.', '--all takes no value.', '--since needs a value.'],
  ],
]
for (const [why, args, sentences] of wrong)
  test(`refuses ${why}`, () => expect(read(...args)).toEqual({ ok: false, failure: sentences.join('\n') }))

describe('without the -- that npm requires before them', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dictation-npmrc-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const npm = (...args: string[]) => npmWith({}, ...args)
  const npmWith = async (env: Record<string, string>, ...args: string[]) => {
    const child = Bun.spawn(['npm', 'run', ...args], {
      env: { ...process.env, ...env },
      ...{ cwd: resolve(import.meta.dir, '../../..'), stdout: 'pipe', stderr: 'pipe' },
    })
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
    return { code: await child.exited, text: (await Promise.all(texts)).join('') }
  }

  testAtLength(
    'refuses to run without options that npm consumed',
    async () => {
      const { code, text } = await npm('import', 'test/speech', '--dry-run', '--language', 'de')
      expect(code).toBe(2)
      expect(text).toContain('npm took --language, --dry-run as its own options, so nothing was done.')
      expect(text).toContain('npm run import -- ')
      expect((await npm('get-model', '--json')).text).toContain('npm took --json as its own')
    },
    180_000,
  )

  testAtLength(
    'does not take values of .npmrc for options',
    async () => {
      const npmrc = join(folder, 'npmrc')
      await writeFile(npmrc, 'force=true\njson=true\ndry-run=true\n')
      const env = { NPM_CONFIG_USERCONFIG: npmrc }
      const { code, text } = await npmWith(env, 'transcribe', '--', '/nowhere.wav')
      expect([code, text]).toEqual([2, expect.stringContaining('There is no file or folder /nowhere.wav.')])
      expect((await npmWith(env, 'import', '/nowhere.wav', '--watch')).text).toContain('npm took --watch as')
    },
    180_000,
  )

  test('says so if npm has left no trace of an option', async () => {
    const { code, text } = await npm('transcribe', 'test/speech/short-01.flac', '--format', 'srt')
    expect([code, text]).toEqual([2, expect.stringMatching(/no file or folder srt.*npm run transcribe -- /s)])
  }, 180_000)

  test('ignores the options of another npm script', async () => {
    const path = resolve(import.meta.dir, '../../../scripts/import.ts')
    const env = {
      ...process.env,
      npm_lifecycle_event: 'test',
      npm_config_all: 'true',
      npm_config_watch: 'true',
    }
    const child = Bun.spawn([process.execPath, path], { env, stderr: 'pipe', stdout: 'ignore' })
    const text = await new Response(child.stderr).text()
    expect([await child.exited, text]).toEqual([2, expect.not.stringContaining('npm')])
  })
})

const scripts = [
  ...[
    'retranscribe',
    'import',
    'transcribe',
    'get-model',
    'bench',
    'torture',
    'check',
    'bench-search',
    'bench-engine',
    'openapi',
  ],
].map((name) => `scripts/${name}.ts`)
const harnesses = ['batch/retranscribe', 'crash/kill', 'fuzz/malformed-uploads', 'fuzz/malformed-audio'].map(
  (name) => `test/${name}.ts`,
)
for (const script of [...scripts, ...harnesses])
  test(`${script} refuses an unknown option and points to --help`, async () => {
    const path = resolve(import.meta.dir, '../../..', script)
    const child = Bun.spawn([process.execPath, path, '--frobnicate'], { stdout: 'pipe', stderr: 'pipe' })
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([
      2,
      'Unknown option --frobnicate.\nRun with --help for usage.\n',
    ])
  })
