// The server as a process: start, refused start, stop, kill and restart. A test that ends the server starts it again.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, recording, recordingFile, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const main = resolve(import.meta.dir, '../../src/main.ts')
const SLOW_MS = 400_000

let folder: TestFolder
let server: RunningServer
const start = () =>
  startServer({
    dataFolder: folder.dataFolder,
    env: folder.databaseUrl === null ? {} : { DATABASE_URL: folder.databaseUrl },
  })
beforeAll(async () => {
  folder = await createTestFolder()
  server = await start()
}, SLOW_MS)
afterAll(async () => {
  await server.stop()
  await folder[Symbol.asyncDispose]()
})

async function runMain(env: Record<string, string>, ...args: string[]) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-refused-'))
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: { ...process.env, PORT: '0', DICTATION_DATA_DIR: dataFolder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const left = readdirSync(dataFolder)
  await rm(dataFolder, { recursive: true })
  return { out, err, code, left }
}

const json = async (path: string): Promise<Json> =>
  (await fetch(`${server.url}${path}`)).json() as Promise<Json>

const post = async (file: string, query = '') =>
  fetch(`${server.url}/captures${query}`, { method: 'POST', body: await formOf(file) })

test('--help names every setting and --version the version, without starting anything', async () => {
  const help = await runMain({}, '--help')
  expect(help).toMatchObject({ code: 0, err: '', left: [] })
  expect(help.out).toContain('DICTATION_MAX_UPLOAD_MB')
  expect((await runMain({}, '--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('refuses to start with an invalid setting, in one line and without touching the disk', async () => {
  const { code, err, left } = await runMain({ DICTATION_THREADS: 'many' })
  expect(code).toBe(1)
  expect(err).toBe('local-dictation: DICTATION_THREADS must be a whole number from 1 to 64\n')
  expect(left).toEqual([])
})

test('refuses an unusable data folder, in one line', async () => {
  const { code, err } = await runMain({ DICTATION_DATA_DIR: main })
  expect(code).toBe(1)
  expect(err).toBe(
    `local-dictation: The folder ${main} cannot be used: file already exists (EEXIST). Fix this, or set DICTATION_DATA_DIR to another folder.\n`,
  )
})

test('refuses an unusable models folder, in one line', async () => {
  const { code, err } = await runMain({ DICTATION_MODELS_DIR: join(main, 'models') })
  expect(code).toBe(1)
  expect(err).toBe(
    `local-dictation: The folder ${join(main, 'models')} cannot be used: not a directory (ENOTDIR). Fix this, or set DICTATION_MODELS_DIR to another folder.\n`,
  )
})

test('refuses an unknown argument', async () => {
  expect(await runMain({}, '--port')).toMatchObject({ code: 1, err: expect.stringContaining('--port') })
})

test('refuses to start if no database is reachable, in one line', async () => {
  const { code, err } = await runMain({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(err).not.toContain('    at ')
}, 240_000)

test('refuses a data folder that another server uses, and names that server', async () => {
  const { code, err } = await runMain({ DICTATION_DATA_DIR: server.dataFolder })
  expect(code).toBe(1)
  expect(err).toContain(`process ${server.pid}`)
  expect(err).toContain(server.url)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
}, 240_000)

test('refuses a port that is in use, and names the process', async () => {
  await using other = await createTestFolder()
  // Reuses an existing database, because creating one takes most of a first start.
  const own = { DICTATION_DATA_DIR: other.dataFolder, DATABASE_URL: other.databaseUrl ?? '' }
  const second = await runMain({ ...own, PORT: new URL(server.url).port })
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining('in use by another Local Dictation') })

  using voicebox = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ message: 'voicebox API', version: '0.5' }),
  })
  const beside = await runMain({ ...own, PORT: String(voicebox.port) })
  expect(beside.code).toBe(1)
  expect(beside.err).toMatch(/^local-dictation: .* in use by Voicebox.*\n$/)
}, 240_000)

test('detects a port in use, on either address, before it creates a database', async () => {
  const hostnames = networkInterfaces().lo?.some(({ family }) => family === 'IPv6')
    ? ['127.0.0.1', '::1']
    : ['127.0.0.1']
  for (const hostname of hostnames) {
    using holder = Bun.serve({ port: 0, hostname, reusePort: false, fetch: () => new Response('?') })
    const { code, err, left } = await runMain({ PORT: String(holder.port) })
    expect([code, err]).toEqual([1, expect.stringContaining('in use by another program')])
    expect(left.filter((name) => name.startsWith('postgres'))).toEqual([])
  }
}, 240_000)

test('also listens on ::1 if this machine has it', async () => {
  const urls = server.log().find((entry) => entry.msg === 'ready')?.urls as string[]
  for (const url of urls) expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(urls[0]).toStartWith('http://127.0.0.1:')
}, 240_000)

test(
  'finishes a running upload on SIGTERM, and transcribes it after the next start',
  async () => {
    const before = server
    const bytes = await recordingFile('human-3.flac').bytes()
    const { promise: sendRest, resolve: goOn } = Promise.withResolvers<void>()
    const upload = fetch(`${server.url}/captures`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=cut' },
      body: new ReadableStream({
        async start(controller) {
          const head = '--cut\r\ncontent-disposition: form-data; name="file"; filename="slow.flac"\r\n\r\n'
          controller.enqueue(Buffer.concat([Buffer.from(head), bytes.subarray(0, 20_000)]))
          await sendRest
          controller.enqueue(Buffer.concat([bytes.subarray(20_000), Buffer.from('\r\n--cut--\r\n')]))
          controller.close()
        },
      }),
    })
    const logged = (text: string) => before.log().some((entry) => String(entry.msg).startsWith(text))
    await until(() => logged('receiving'))
    const stopped = before.stop()
    await until(() => logged('stopping'))
    goOn()
    const response = await upload
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as Json
    expect(await stopped).toBe(0)

    server = await start()
    const done = async () => (await json(`/captures/${id}`)).status === 'completed'
    await until(done, { timeoutMs: 300_000, what: 'the text to come after the next start' })
    const { transcript_raw: text } = await json(`/captures/${id}`)
    expect(wordsApart(text, recording('human-3.flac').reference)).toBeLessThanOrEqual(1)
  },
  SLOW_MS,
)

test('stops without errors while it is starting', async () => {
  await using folder = await createTestFolder()
  const child = Bun.spawn([process.execPath, main], {
    env: { ...process.env, PORT: '0', DICTATION_DATA_DIR: join(folder.dataFolder, 'new') },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const isStarting = () => existsSync(join(folder.dataFolder, 'new', 'postgres-18'))
  await until(isStarting, { timeoutMs: 120_000 })
  child.kill('SIGTERM')
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ''])
}, 240_000)

test(
  'resumes its work after kill -9 and loses nothing',
  async () => {
    const ids: string[] = []
    const logged = server.log().length
    for (const file of ['human-6.flac', 'nothing-hum.flac'])
      ids.push(((await (await post(file, '?wait=false')).json()) as Json).id)
    const transcribing = () =>
      server
        .log()
        .slice(logged)
        .some((entry) => entry.phase === 'transcribing')
    await until(transcribing, { timeoutMs: 200_000 })
    await server.kill()

    server = await start()
    await until(() => server.log().some((entry) => entry.phase === 'decoding'), {
      what: 'the unfinished work to go on by itself',
    })
    const statuses = () => Promise.all(ids.map(async (id) => (await json(`/captures/${id}`)).status))
    const completed = async () => (await statuses()).every((status) => status === 'completed')
    await until(completed, { timeoutMs: 300_000, what: 'both captures to be completed' })
    const { items } = await json(`/jobs?capture_id=${ids[0]}`)
    expect(items).toHaveLength(1)
    const audio = await fetch(`${server.url}/captures/${ids[0]}/audio`)
    expect(await audio.bytes()).toEqual(await recordingFile('human-6.flac').bytes())
  },
  SLOW_MS,
)

test('exits immediately on a second signal', async () => {
  const neverEnding = fetch(`${server.url}/captures`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    body: new ReadableStream({
      start: (controller) =>
        controller.enqueue(Buffer.from('--cut\r\ncontent-disposition: form-data; name="x"')),
    }),
  }).catch(() => 'cut')
  process.kill(server.pid, 'SIGTERM')
  const stopping = () => server.log().some((entry) => String(entry.msg).startsWith('stopping'))
  await until(stopping)
  expect(await server.stop()).toBe(1)
  await neverEnding
  server = await start()
}, 240_000)

test('ends the child processes of a killed server', async () => {
  expect((await post('nothing-hum.flac')).status).toBe(201)
  const children = () =>
    Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,args='])
      .stdout.toString()
      .split('\n')
      .map((line) => line.trim())
  const ofServer = children()
    .filter((line) => line.split(/\s+/)[1] === String(server.pid))
    .map((line) => line.split(/\s+/)[0])
  expect(ofServer.length).toBeGreaterThan(0)
  await server.kill()
  const left = () =>
    children().filter((line) => ofServer.includes(line.split(/\s+/)[0]!) && line.includes('src/'))
  await until(() => left().length === 0, {
    what: () => `these to end: ${left().join('; ')}`,
  })
}, 240_000)
