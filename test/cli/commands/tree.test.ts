// The examples of the help and of README's section about the command: all parse, and those that need nothing special
// run against one real server.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { CommandSpec, Example } from '../../../src/cli/command.ts'
import { COMMANDS, DEFAULT_ARGS } from '../../../src/cli/commands/tree.ts'
import { programOf } from '../../../src/cli/program.ts'
import { testAtLength } from '../../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { recordingFile } from '../../support/speech.ts'

const root = resolve(import.meta.dir, '../../..')

const commandsIn = (specs: readonly CommandSpec[]): CommandSpec[] =>
  specs.flatMap((spec) => [spec, ...commandsIn(spec.commands ?? [])])
const all = commandsIn(COMMANDS)
const examples: Example[] = all.flatMap(({ examples = [] }) => examples)

/** The command lines in README's section, without their comments. */
async function readmeLines(): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const section = readme.split(/^## /m).find((part) => part.startsWith('The dictation command')) ?? ''
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block]) =>
    block!.trim().split('\n'),
  )
  return blocks.map((line) => line.replace(/\s+#.*$/, '')).filter((line) => /(^|\| )dictation\b/.test(line))
}

/** Splits as a shell does, as far as the examples need it; of a pipe, what is after it. */
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

test('every line of that section of README parses', async () => {
  const lines = await readmeLines()
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) expect([line, await parsed(line)]).toEqual([line, expect.any(String)])
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
    await copyFile(recordingFile('short-01.flac').name!, join(folder, 'memo.flac'))
    await writeFile(join(folder, 'notes.txt'), 'um we meet on friday\n')
    await writeFile(join(folder, 'words.csv'), 'type,word,replacement\nreplacement,git hub,GitHub\n')
    await copyFile(recordingFile('short-02.flac').name!, join(folder, 'interviews/one.flac'))
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

  testAtLength(
    'the examples of the help and of README run, except those that say why not',
    async () => {
      const notRun = new Set(
        examples.filter(({ notRun }) => notRun !== undefined).map(({ command }) => command),
      )
      const lines = new Set([...examples.map(({ command }) => command), ...(await readmeLines())])
      let count = 0
      for (const line of lines) {
        if (notRun.has(line)) continue
        const { code, errors } = await run(line)
        expect([line, code], errors).toEqual([line, 0])
        count++
      }
      expect(count).toBeGreaterThan(25)
    },
    600_000,
  )
})
