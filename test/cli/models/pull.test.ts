// dictation models pull: without a server, through one, interrupted and resumed. The hub is on this computer; everything
// else is real.

import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createProbeModel } from '../../../src/engine/probe-model.ts'
import { partFile } from '../../../src/models/part-file.ts'
import { startHub } from '../../models/hub.ts'
import { startServer } from '../../support/server.ts'
import { until } from '../../support/until.ts'

const NAME = 'ada/models/ggml-swiss.bin'
const FILE = 'ggml-swiss.bin'
const model = createProbeModel()
const hub = await startHub({ [NAME]: model })
afterAll(() => hub[Symbol.asyncDispose]())

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'dictation-get-model-'))
  hub.requests.length = 0
  hub.mischief.length = 0
  hub.pace.bytesPerSecond = null
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

function launch(args: string[], env: Record<string, string> = {}) {
  return Bun.spawn(
    [process.execPath, resolve(import.meta.dir, '../../../src/cli/main.ts'), 'models', 'pull', ...args],
    {
      // No server listens on port 1.
      env: { ...process.env, DICTATION_DATA_DIR: dataFolder, HF_ENDPOINT: hub.url, PORT: '1', ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
}

async function run(args: string[], env: Record<string, string> = {}) {
  const child = launch(args, env)
  const [output, said] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  const events = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { code: await child.exited, output, said, events }
}

const modelFile = () => join(dataFolder, 'models', FILE)

test('downloads a model without a server, and reports progress to programs', async () => {
  const { code, events, said } = await run([NAME])
  expect([code, said]).toEqual([0, 'swiss is installed and verified.\n'])
  expect(events.at(-1)).toEqual({ event: 'complete', model_name: 'swiss' })
  expect(events.map(({ event }) => event)).toContain('downloading')
  expect((await readFile(modelFile())).equals(model)).toBe(true)
  expect(await run([NAME])).toMatchObject({ code: 0, said: 'swiss is already installed.\n' })
}, 180_000)

test('resumes where Ctrl-C stopped it', async () => {
  hub.pace.bytesPerSecond = 3_000_000
  const child = launch([NAME])
  const part = partFile(join(dataFolder, 'models'), FILE)
  await until(async () => (await part.size()) > 300_000)
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  expect(await new Response(child.stderr).text()).toContain('run the same command to resume it')
  // A server that starts now does not resume a download that the user stopped.
  expect(await part.readNote()).toMatchObject({ running: false })
  const partBytes = await part.size()
  hub.pace.bytesPerSecond = null
  expect((await run([NAME])).code).toBe(0)
  expect(hub.requests.at(-1)!.headers.get('range')).toBe(`bytes=${partBytes}-`)
  expect((await readFile(modelFile())).equals(model)).toBe(true)
}, 180_000)

test('lists the models if none is named', async () => {
  const table = await run([])
  expect([table.code, table.events]).toEqual([0, []])
  expect(table.output).toMatch(/^tiny\.en-q5_1\t32\t.*\tinstalled$/m)
  const { code, events } = await run(['--json'])
  expect([code, events.length]).toEqual([0, 29])
  expect(events.map(({ model_name }) => model_name)).toContain('base-f16')
  expect(events.filter(({ downloaded }) => downloaded)).toEqual([
    expect.objectContaining({ model_name: 'tiny.en-q5_1', size_mb: 32 }),
    expect.objectContaining({ model_name: 'base-q5_1', size_mb: 60 }),
  ])
  expect(hub.requests).toEqual([])
}, 180_000)

test('prints its usage', async () => {
  const { code, output } = await run(['--help'])
  expect([code, output.startsWith('Download a Whisper model')]).toEqual([0, true])
})

test.each([
  ['an unknown model', ['nope'], 2, 'There is no model called "nope"'],
  [
    'a name that is nearly right',
    ['bas'],
    2,
    'There is no model called "bas"; did you mean "base"? Known models: tiny',
  ],
  ['a server that is no address', ['base', '--server', 'here'], 2, '--server must be an address'],
  ['two models at once', ['base', 'small'], 2, 'Expected 1 argument but got 2'],
  ['an unknown option', ['--nope'], 2, 'dictation models pull --help'],
  ['a server that is away', ['base', '--server', 'http://127.0.0.1:1'], 3, 'No server responds'],
])(
  'refuses %s',
  async (_what, args, code, sentence) => {
    const answer = await run(args)
    expect(answer.code).toBe(code)
    expect(answer.said).toContain(sentence)
    expect(hub.requests).toEqual([])
  },
  30_000,
)

test('rejects a wrong file and leaves nothing of it', async () => {
  hub.mischief.push({ kind: 'wrong bytes' })
  const { code, said, events } = await run([NAME])
  expect([code, events.at(-1)?.event]).toEqual([1, 'failed'])
  expect(said).toContain('discarded')
  expect(existsSync(modelFile())).toBe(false)
}, 180_000)

test('lets the running server download, and follows its progress', async () => {
  hub.pace.bytesPerSecond = 8_000_000
  await using server = await startServer({ env: { HF_ENDPOINT: hub.url } })
  const answers = await Promise.all([
    run([NAME, '--server', server.url]),
    run([NAME], { DICTATION_URL: server.url }),
  ])
  expect(answers.map(({ code }) => code)).toEqual([0, 0])
  expect(answers[0]!.events.at(-1)).toEqual({ event: 'complete', model_name: 'swiss' })
  expect(existsSync(join(server.dataFolder, 'models', FILE))).toBe(true)
  expect(existsSync(modelFile())).toBe(false)
  expect(hub.requests.filter(({ host }) => host === 'bytes')).toHaveLength(1)
  const found = await run(['--json'], { DICTATION_DATA_DIR: server.dataFolder })
  expect(found.events.find(({ model_name }) => model_name === 'swiss')).toMatchObject({ downloaded: true })
  expect((await run(['nope', '--server', server.url])).code).toBe(2)
}, 180_000)
