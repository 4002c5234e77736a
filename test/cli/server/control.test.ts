// Commands start a server in the background if none runs, only once, and report it.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { processState, readHolder } from '../../../src/lib/instance-file.ts'
import { isHeld } from '../../../src/lib/lock.ts'
import { testAtLength } from '../../support/at-length.ts'
import { createTestFolder, type TestFolder } from '../../support/database.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')
const lockFixture = resolve(import.meta.dir, '../../lib/lock-fixture.ts')
const recording = recordingFile('short-01.flac').name!

let data: TestFolder
beforeAll(async () => {
  data = await createTestFolder()
})
afterAll(async () => {
  await dictation(['server', 'stop'])
  await data[Symbol.asyncDispose]()
})

async function dictation(args: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: {
      ...process.env,
      PORT: '0',
      // Relative: the server runs in another folder than the command.
      DICTATION_DATA_DIR: basename(data.dataFolder),
      DICTATION_MODEL: 'tiny.en',
      ...(data.databaseUrl !== null && { DATABASE_URL: data.databaseUrl }),
      ...env,
    },
    cwd: dirname(data.dataFolder),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text())
  const [output = '', errors = ''] = await Promise.all(texts)
  return { code: await child.exited, output, errors }
}

const pidOf = (text: string) => Number(/\(process (\d+)\)/.exec(text)?.[1])

test('a named server that does not run is not started', async () => {
  const { code, errors } = await dictation(['transcribe', recording], { DICTATION_URL: 'http://127.0.0.1:9' })
  expect([code, errors]).toEqual([3, expect.stringContaining('No server responds at http://127.0.0.1:9.')])
  expect(await dictation(['server', 'status'])).toMatchObject({ code: 3 })
  expect(existsSync(`${data.dataFolder}/server.log`)).toBe(false)
}, 60_000)

test('a server of another data folder at the usual port is not used', async () => {
  const requests: string[] = []
  using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      requests.push(new URL(request.url).pathname)
      return Response.json({ service: 'local-dictation', items: [], total: 0 })
    },
  })
  const { code, errors } = await dictation(['captures', 'ls'], { PORT: String(other.port) })
  expect([code, errors]).toEqual([3, expect.stringContaining('uses another data folder than')])
  expect(errors).toContain(`hint: Name that server with --server http://127.0.0.1:${other.port}`)
  expect(requests.filter((path) => path !== '/health')).toEqual([])
}, 60_000)

test.skipIf(process.platform === 'win32')(
  'a service receives absolute folders',
  async () => {
    const { code, output } = await dictation(['server', 'install', '--dry-run'], {
      DICTATION_MODELS_DIR: 'm',
    })
    expect(code).toBe(0)
    expect(output).toContain(data.dataFolder)
    expect(output).toContain(join(dirname(data.dataFolder), 'm'))
    expect(output).not.toMatch(/DICTATION_DATA_DIR(=|<\/key><string>)[^/]/)
  },
  60_000,
)

test('stop ends no other command that uses the folder, and start fails at once', async () => {
  const holding = Bun.spawn([process.execPath, lockFixture, data.dataFolder, 'dictation verify'], {
    ...{ stdin: 'pipe', stdout: 'pipe' },
  })
  await holding.stdout.getReader().read()
  const note = join(data.dataFolder, 'instance.json')
  const before = await readFile(note, 'utf8')
  expect(await dictation(['server', 'stop'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('No server runs'),
  })
  expect([holding.exitCode, await readFile(note, 'utf8')]).toEqual([null, before])
  const { code, errors } = await dictation(['server', 'start'])
  expect([code, errors]).toEqual([1, expect.stringContaining(`process ${holding.pid} (dictation verify)`)])
  holding.kill('SIGKILL')
  await holding.exited
}, 120_000)

test('with --json, each line of the log is an object', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-log-'))
  const lines = ['{"level":"info","msg":"ready"}', '["no object"]', 'Aborted (core dumped)']
  await writeFile(join(folder, 'server.log'), lines.join('\n'))
  const { output } = await dictation(['server', 'logs', '--json'], { DICTATION_DATA_DIR: folder })
  expect(output).toEndWith('\n')
  expect(output.trimEnd().split('\n')).toEqual([
    lines[0]!,
    ...lines.slice(1).map((text) => JSON.stringify({ text })),
  ])
  await rm(folder, { recursive: true })
}, 60_000)

test('the log shows its last lines, whatever its size', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-log-'))
  const lines = Array.from({ length: 9000 }, (_, index) => `Zeile ${index}: über die Größe der Wörter`)
  const log = `${lines.join('\n')}\n`
  await writeFile(join(folder, 'server.log'), log)
  const shown = async (count: number) =>
    (await dictation(['server', 'logs', '--lines', String(count)], { DICTATION_DATA_DIR: folder })).output
  expect(await shown(2)).toBe(`${lines.slice(-2).join('\n')}\n`)
  expect(await shown(4000)).toBe(`${lines.slice(-4000).join('\n')}\n`)
  expect(await shown(20_000)).toBe(log)
  await rm(folder, { recursive: true })
}, 60_000)

testAtLength(
  'two commands at once start one server, which transcribes for both and stops',
  async () => {
    const answers = await Promise.all([
      dictation(['transcribe', recording]),
      dictation(['transcribe', recording, '--quiet']),
    ])
    const text = expect.stringContaining('test of the local dictation service')
    expect(answers.map(({ code, output }) => [code, output])).toEqual([
      [0, text],
      [0, text],
    ])
    expect(answers[0]!.errors).toMatch(/^No server is running; starting one\.\nThe server runs at http:/)
    expect(answers[1]!.errors).toBe('')
    const status = await dictation(['server', 'status', '--json'])
    const { running, url } = JSON.parse(status.output) as { running: boolean; url: string }
    expect([status.code, running]).toEqual([0, true])
    expect((await dictation(['server', 'start'])).output).toBe(`${url}\n`)
    expect((await dictation(['server', 'logs', '--lines', '1000'])).output).toContain('"msg":"ready"')
    const stopped = await dictation(['server', 'stop'])
    expect(stopped.code).toBe(0)
    expect(processState(pidOf(stopped.output))).toBe('ended')
    expect((await dictation(['server', 'stop'])).output).toStartWith('No server runs on ')
  },
  240_000,
)

testAtLength.skipIf(process.platform === 'win32')(
  'SIGTERM ends a server in the foreground of a terminal',
  async () => {
    await using folder = await createTestFolder()
    const { dataFolder, databaseUrl } = folder
    const child = Bun.spawn([process.execPath, main, 'server', 'start', '--foreground'], {
      env: {
        ...{ ...process.env, PORT: '0', DICTATION_DATA_DIR: dataFolder, DICTATION_MODEL: 'tiny.en' },
        ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      },
      terminal: { cols: 80, rows: 24 },
    })
    try {
      await until(async () => (await readHolder(dataFolder))?.url, { timeoutMs: 120_000 })
      child.kill('SIGTERM')
      await until(() => child.exitCode !== null, { timeoutMs: 60_000 })
      expect([child.exitCode, isHeld(dataFolder)]).toEqual([0, false])
    } finally {
      const holder = isHeld(dataFolder) ? await readHolder(dataFolder) : null
      if (holder !== null) process.kill(holder.pid, 'SIGKILL')
      child.kill('SIGKILL')
    }
  },
  240_000,
)

testAtLength(
  'a server that cannot start is reported with the end of its log',
  async () => {
    using taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('another program') })
    const { code, output, errors } = await dictation(['server', 'start'], { PORT: String(taken.port) })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain('The server could not be started.')
    expect(errors).toContain(`Port ${taken.port} is already in use`)
    expect(errors).toContain('hint: dictation doctor')
    const doctor = await dictation(['doctor'], { PORT: String(taken.port), DICTATION_TOKN: 'x' })
    expect(doctor.code).toBe(1)
    expect(doctor.output).toMatch(/^wrong {2}settings +unknown: DICTATION_TOKN\n +fix: /m)
    expect(doctor.output).toMatch(
      new RegExp(`^wrong {2}server +.*port ${taken.port}.*EADDRINUSE\n +fix: `, 'm'),
    )
  },
  120_000,
)
