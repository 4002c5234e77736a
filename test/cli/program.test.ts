// The command line of `dictation`: parsing, suggestions, exit codes. No command here needs a server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { testAtLength } from '../support/at-length.ts'

const main = resolve(import.meta.dir, '../../src/cli/main.ts')

const dictation = (...args: string[]) => dictationWith({}, ...args)
async function dictationWith(env: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  const [output = '', errors = ''] = await Promise.all(texts)
  return { code: await child.exited, output, errors }
}

const wrong: [args: string[], error: string, hint: string][] = [
  [['transcrib', 'x'], 'Unknown command transcrib.', 'Did you mean transcribe?'],
  [['models', 'pul'], 'Unknown command pul.', 'Did you mean pull?'],
  [['import', 'x', '--wach'], 'Unknown option --wach.', 'Did you mean --watch?'],
  [['import', '--constructor'], 'Unknown option --constructor.', 'dictation import --help shows the usage.'],
  [['transcribe'], 'Missing required argument PATH.', 'dictation transcribe --help shows the usage.'],
  [
    ['verify', 'x'],
    'Too many arguments for verify. Expected 0 arguments but got 1.',
    'dictation verify --help shows the usage.',
  ],
  [
    ['transcribe', 'x', '--format', 'srtt'],
    '--format must be one of txt, md, srt, vtt, json, not srtt; did you mean "srt"?',
    'dictation transcribe --help shows the usage.',
  ],
  [
    ['retranscribe', '--ids', '--all'],
    '--ids needs a value.',
    'dictation retranscribe --help shows the usage.',
  ],
  [
    ['server', 'stop', '--server', 'http://127.0.0.1:1'],
    "--server does not apply: this command works on this computer's data folder.",
    'dictation server stop --help shows the usage.',
  ],
  [
    ['verify', '--trust-server'],
    "--trust-server does not apply: this command works on this computer's data folder.",
    'dictation verify --help shows the usage.',
  ],
  [
    ['help', '--patience', '5'],
    '--patience does not apply: this command uses no server.',
    'dictation help --help shows the usage.',
  ],
  [['retranscribe', '--ids='], '--ids needs a value.', 'dictation retranscribe --help shows the usage.'],
  [
    ['retranscribe', '--ids', 'a', '--ids', 'b'],
    '--ids is given twice.',
    'dictation retranscribe --help shows the usage.',
  ],
]
test.each(wrong)('%j: %s', async (args, error, hint) => {
  const { code, output, errors } = await dictation(...args)
  expect([code, output, errors]).toEqual([2, '', `error: ${error}\nhint: ${hint}\n`])
})

test('refuses --json for a document, as JSON', async () => {
  const { code, output, errors } = await dictation('man', '--json')
  expect([code, output, JSON.parse(errors)]).toEqual([
    2,
    '',
    expect.objectContaining({
      code: 'usage',
      detail: '--json does not apply: this command prints a text in a format of its own.',
    }),
  ])
})

test('help offers only the options that a command accepts, as text and as JSON', async () => {
  const [helpOfMan, helpOfStats] = await Promise.all([
    dictation('man', '--help'),
    dictation('help', 'stats', '--json'),
  ])
  expect(helpOfMan.output).toContain('--quiet')
  expect(helpOfMan.output).not.toMatch(/--(server|patience|json)/)
  const { command, options } = JSON.parse(helpOfStats.output)
  expect(command).toBe('stats')
  expect(options).toContainEqual(expect.objectContaining({ name: '--server', value: 'URL' }))
  const codes = JSON.parse((await dictation('help', 'exit-codes', '--json')).output)
  expect(codes).toContainEqual({ code: 5, meaning: 'not found' })
  const { commands } = JSON.parse((await dictation('help', '--json')).output)
  expect(commands).toContainEqual(
    expect.objectContaining({ command: 'captures', commands: expect.any(Array) }),
  )
}, 60_000)

test('wrong variables for the server break only commands that need it, and are named', async () => {
  const words = [['help'], ['completion', 'bash'], ['complete', '--', 'tr']]
  for (const [env, name] of [
    [{ DICTATION_URL: 'nowhere' }, 'DICTATION_URL must be an address'],
    [{ DICTATION_URL: '', DICTATION_TRUST_SERVER: 'yes' }, 'DICTATION_TRUST_SERVER requires'],
  ] as [Record<string, string>, string][]) {
    for (const args of words) expect([args, (await dictationWith(env, ...args)).code]).toEqual([args, 0])
    const { code, errors } = await dictationWith(env, 'captures', 'ls')
    expect([code, errors]).toEqual([2, expect.stringContaining(`error: ${name}`)])
  }
}, 60_000)

test('reports an error as JSON if the output is JSON', async () => {
  const { code, output, errors } = await dictation('transcribe', '/nowhere.wav', '--json')
  expect([code, output]).toEqual([5, ''])
  expect(JSON.parse(errors)).toEqual({
    code: 'usage',
    detail: 'There is no file or folder /nowhere.wav.',
    hint: 'dictation transcribe --help shows the usage.',
    exit_code: 5,
  })
})

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
      ...{ cwd: resolve(import.meta.dir, '../..'), stdout: 'pipe', stderr: 'pipe' },
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
      expect([code, text]).toEqual([5, expect.stringContaining('There is no file or folder /nowhere.wav.')])
      expect((await npmWith(env, 'import', '/nowhere.wav', '--watch')).text).toContain('npm took --watch as')
    },
    180_000,
  )

  test('says so if npm has left no trace of an option', async () => {
    const { code, text } = await npm('transcribe', 'test/speech/short-01.flac', '--format', 'srt')
    expect([code, text]).toEqual([5, expect.stringMatching(/no file or folder srt.*npm run transcribe -- /s)])
  }, 180_000)

  test('ignores the options of another npm script', async () => {
    const env = {
      ...process.env,
      npm_lifecycle_event: 'test',
      npm_config_all: 'true',
      npm_config_watch: 'true',
    }
    const child = Bun.spawn([process.execPath, main, 'import'], { env, stderr: 'pipe', stdout: 'ignore' })
    const text = await new Response(child.stderr).text()
    expect([await child.exited, text]).toEqual([2, expect.not.stringContaining('npm')])
  })
})
