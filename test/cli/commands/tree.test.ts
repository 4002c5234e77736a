// The examples of the help and of README: all parse, and those that need nothing special run against one real server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CommandSpec, Example } from '../../../src/cli/command.ts'
import { COMMANDS, DEFAULT_ARGS } from '../../../src/cli/commands/tree.ts'
import { programOf } from '../../../src/cli/program.ts'
import { readConfig, unknownSettings } from '../../../src/config.ts'
import { testAtLength } from '../../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { recordingFile } from '../../support/speech.ts'

const root = resolve(import.meta.dir, '../../..')

const commandsIn = (specs: readonly CommandSpec[]): CommandSpec[] =>
  specs.flatMap((spec) => [spec, ...commandsIn(spec.commands ?? [])])
const all = commandsIn(COMMANDS)
const examples: Example[] = all.flatMap(({ examples = [] }) => examples)

const readme = await readFile(join(root, 'README.md'), 'utf8')

/** The commands in README's code blocks, without their comments. */
const readmeLines = [...readme.matchAll(/^```sh\n(.*?)^```/gms)]
  .flatMap(([, block]) => block!.split('\n'))
  .map((line) => line.replace(/(^|\s+)#.*$/, ''))
  .filter((line) => line !== '')

const isDictation = (line: string): boolean => /(^|\| )dictation\b/.test(line)

/** Lines of README that are no examples of the help, with the reason why the test does not run them. */
const NOT_RUN: Record<string, string> = {
  'npm install && npm start': 'installs packages; other tests start the server',
  'npm start': 'starts a server; other tests do',
  'DICTATION_GPU_KEY=… npm start': 'starts a server; other tests do',
  'DICTATION_TOKEN=auto DICTATION_HOSTS=dictation.example DICTATION_ORIGINS=https://dictation.example DICTATION_USERS=any npm start':
    'test/browser/page-from-a-phone.test.ts starts such a server',
  'ssh -N -L 17493:127.0.0.1:17493 you@computer': 'needs a second computer',
  'dictation settings set engine_url https://gpu.example/v1': 'later examples would be sent there',
  'dictation settings set engine_key_env DICTATION_GPU_KEY': 'needs the variable',
  'dictation dictate --command-key AltGr+ShiftRight': 'needs a desktop',
  'dictation models use small': 'needs a downloaded model',
  'npm run build': 'test/executable builds and runs it',
  'npm run build -- --fetch': 'downloads from the internet',
  'dist/linux-x64/dictation': 'test/executable builds and runs it',
  'dist/linux-x64/dictation licenses': 'test/executable builds and runs it',
}

/** Splits like a shell, as far as the examples need it; returns the last command of a pipe. */
const words = (line: string): string[] =>
  [
    ...line
      .split('| ')
      .at(-1)!
      .matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
  ].map(([, a, b, c]) => (a ?? b ?? c)!)

async function parsed(line: string): Promise<string | null> {
  let found: string | null = null
  const program = programOf('0.0.0', async (spec) => {
    found = spec.name
  })
  const args = words(line).slice(1)
  await program.parseAsync(args.length === 0 ? DEFAULT_ARGS : args, { from: 'user' })
  return found
}

test('every command that does something has an example, which parses', async () => {
  const without = all.filter(
    ({ load, isHidden, examples = [] }) => load && !isHidden && examples.length === 0,
  )
  expect(without.map(({ name }) => name)).toEqual([])
  for (const { name, examples = [] } of all)
    for (const { command } of examples) expect([command, await parsed(command)]).toEqual([command, name])
})

test('every command in a code block of README parses', async () => {
  // Also those in the lines for cron and systemd.
  const scheduled = [...readme.matchAll(/\/usr\/local\/bin\/(dictation .+?)(?= >>|$)/gm)].map(
    ([, line]) => line!,
  )
  const lines = [...readmeLines.filter(isDictation), ...scheduled]
  expect(lines.length).toBeGreaterThan(25)
  for (const line of lines) expect([line, await parsed(line)]).toEqual([line, expect.any(String)])
})

test('README names only commands, options and settings that exist', async () => {
  const spans = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)
  const commands = spans.filter((span) => span.startsWith('dictation '))
  expect(commands.length).toBeGreaterThan(15)
  for (const command of commands) {
    // The sentence around it may leave out the arguments.
    const error = await parsed(command).then(
      () => null,
      ({ code }) => code,
    )
    expect([command, error]).toEqual([command, error && expect.stringMatching(/missingArgument|\.help$/)])
  }
  const starts = spans.filter((span) => / npm start$/.test(span))
  expect(starts.length).toBeGreaterThan(3)
  for (const start of starts) {
    const settings = start.split(' ').slice(0, -2)
    const env = Object.fromEntries(settings.map((setting) => setting.split(/=(.*)/s)))
    expect([start, unknownSettings(env), readConfig(env)]).toMatchObject([start, [], { ok: true }])
  }
})

test('each line of README that is not run is there', () => {
  expect(Object.keys(NOT_RUN).filter((line) => !readmeLines.includes(line))).toEqual([])
})

describe('with a server', () => {
  let data: TestFolder
  let folder: string

  beforeAll(async () => {
    data = await createTestFolder()
    folder = await mkdtemp(join(tmpdir(), 'dictation-examples-'))
    await mkdir(join(folder, 'bin'))
    await symlink(join(root, 'scripts/dictation.mjs'), join(folder, 'bin/dictation'))
    await mkdir(join(folder, 'interviews'))
    await symlink(join(root, 'test'), join(folder, 'test'))
    await writeFile(join(folder, 'notes.txt'), 'um we meet on friday\n')
    await writeFile(join(folder, 'words.csv'), 'type,word,replacement\nreplacement,git hub,GitHub\n')
    await copyFile(recordingFile('short-02.flac').name!, join(folder, 'interviews/one.flac'))
    // The newest: the subtitles of the other one exist when those of @last are exported.
    await copyFile(recordingFile('short-01.flac').name!, join(folder, 'memo.flac'))
  })
  afterAll(async () => {
    await run('dictation server stop')
    await data[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(line: string) {
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      PORT: '0',
      DICTATION_DATA_DIR: data.dataFolder,
      ...(data.databaseUrl !== null && { DATABASE_URL: data.databaseUrl }),
    }
    const child = Bun.spawn(['sh', '-c', line], { cwd: folder, env, stdout: 'pipe', stderr: 'pipe' })
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
    const [output = '', errors = ''] = await Promise.all(texts)
    return { code: await child.exited, output, errors }
  }

  /** At the address of this server; curl alone succeeds whatever the server responds. */
  const inTest = (line: string, url: string) =>
    line.replaceAll('http://127.0.0.1:17493', url).replace(/^curl /, 'curl -sS --fail-with-body ')

  const spoken = (text: string) => text.toLowerCase().match(/\p{L}+/gu)

  testAtLength(
    'the examples of the help and of README run, except those that say why not',
    async () => {
      const needing = examples.filter(({ notRun }) => notRun !== undefined)
      const notRun = new Set([...needing.map(({ command }) => command), ...Object.keys(NOT_RUN)])
      const lines = new Set([...examples.map(({ command }) => command), ...readmeLines])
      const { output: url } = await run('dictation server start')
      const outputs = new Map<string, string>()
      for (const line of lines) {
        if (notRun.has(line)) continue
        const { code, output, errors } = await run(inTest(line, url.trim()))
        expect([line, code], errors).toEqual([line, 0])
        outputs.set(line, output)
      }
      expect(outputs.size).toBeGreaterThan(50)
      const [, quoted = ''] = /^> (.*)/m.exec(readme) ?? []
      const [, transcribed] = [...outputs].find(([line]) => /^curl .*\/transcribe$/.test(line))!
      expect(spoken(transcribed)).toEqual(spoken(quoted))
    },
    600_000,
  )
})
