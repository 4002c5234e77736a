// A machine that temporarily fails: read-only files and exhausted file handles. Server and failures are real; skipped
// elsewhere than on Linux (the mounts need root).

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'
import { wavHeader } from '../support/wav.ts'

const isLinux = process.platform === 'linux'
const canMount =
  isLinux && process.getuid?.() === 0 && Bun.spawnSync(['unshare', '-m', 'true']).exitCode === 0
const canLimit = isLinux && Bun.which('prlimit') !== null

let server: RunningServer
let folder: string
beforeAll(async () => {
  if (!canMount && !canLimit) return
  folder = await mkdtemp(join(tmpdir(), 'dictation-trouble-'))
  server = await startServer({ dataFolder: join(folder, 'data'), within: canMount ? ['unshare', '-m'] : [] })
})
afterAll(async () => {
  if (!canMount && !canLimit) return
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const json = (method: string, body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function upload(path: string): Promise<Response> {
  const form = new FormData()
  form.set('file', new File([await recordingFile('short-01.flac').arrayBuffer()], 'note.flac'))
  return fetch(`${server.url}${path}`, { method: 'POST', body: form })
}

async function keptId(): Promise<string> {
  return ((await (await upload('/captures?wait=true')).json()) as { id: string }).id
}

/** Everything stored for incoming recordings, by kind. */
const writes = (id: string): Record<string, () => Promise<Response>> => ({
  'an upload': () => upload('/captures?wait=false'),
  'a transcription': () => upload('/transcribe'),
  'an edit': () => fetch(`${server.url}/captures/${id}`, json('PATCH', { title: `${Math.random()}` })),
  'a deletion': () => fetch(`${server.url}/captures/${id}`, { method: 'DELETE' }),
  'a settings change': () =>
    fetch(
      `${server.url}/settings/captures`,
      json('PATCH', { typing_wpm: 1 + Math.floor(Math.random() * 300) }),
    ),
  'a word': () => fetch(`${server.url}/dictionary`, json('POST', { word: `word${Math.random()}` })),
})

async function expectRefusals(id: string, code: string): Promise<void> {
  for (const [what, write] of Object.entries(writes(id))) {
    const response = await write()
    const problem = (await response.json()) as { code: string; detail: string }
    expect({ what, status: response.status, code: problem.code }).toEqual({ what, status: 503, code })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(problem.detail).not.toContain(folder)
  }
}

async function expectAcceptance(id: string): Promise<void> {
  for (const [what, write] of Object.entries(writes(id))) {
    const { ok } = await write()
    expect({ what, ok }).toEqual({ what, ok: true })
  }
}

test.skipIf(!canMount)('read-only files cause a 503 with the reason, and nothing is lost', async () => {
  const id = await keptId()
  const inside = (...command: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(['nsenter', '-t', `${server.pid}`, '-m', ...command])
    if (exitCode !== 0) throw new Error(String(stderr))
  }
  inside('mount', '--bind', server.dataFolder, server.dataFolder)
  inside('mount', '-o', 'remount,bind,ro', server.dataFolder)
  try {
    await expectRefusals(id, 'storage_unavailable')
    const refused = await upload('/captures')
    expect(((await refused.json()) as { detail: string }).detail).toContain('read-only file system')
    expect((await fetch(`${server.url}/captures/${id}`)).status).toBe(200)
  } finally {
    inside('umount', '-l', server.dataFolder)
  }
  await expectAcceptance(id)
})

const limitFileSize = (bytes: number | 'unlimited') =>
  Bun.spawnSync(['prlimit', '--pid', `${server.pid}`, `--fsize=${bytes}:`])

test.skipIf(!canLimit)(
  'refuses a recording over the file size limit of the system with the reason, and stores nothing',
  async () => {
    const id = await keptId()
    // The recording that is being written or was stored; the others in this file are FLAC.
    const remains = async () =>
      (await readdir(server.dataFolder, { recursive: true })).filter((path) => /^inbox.|wav$/.test(path))
    const dataBytes = 40 * 1024 ** 2
    const header = wavHeader({ dataBytes, rate: 16_000, channels: 1 })
    const form = new FormData()
    form.set('file', new File([header, new Uint8Array(dataBytes)], 'long.wav'))
    limitFileSize(36 * 1024 ** 2)
    try {
      const refused = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form })
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({
        code: 'file_too_large',
        detail: expect.stringContaining('ulimit -f'),
      })
      await expectAcceptance(id)
    } finally {
      limitFileSize('unlimited')
    }
    expect(await remains()).toEqual([])
  },
)

/** Each failure stops the thread of the database: one that went on would use up a core for ever. */
test.skipIf(!canLimit)(
  'reopens the database after failed writes to its journal, in one thread',
  async () => {
    const id = await keptId()
    const workers = async () => {
      const threads = `/proc/${server.pid}/task`
      const names = (await readdir(threads)).map((thread) =>
        Bun.file(join(threads, thread, 'comm'))
          .text()
          .catch(() => ''),
      )
      return (await Promise.all(names)).filter((name) => name.trim() === 'Worker').length
    }
    const before = await workers()
    const change = () => fetch(`${server.url}/captures/${id}`, json('PATCH', { title: crypto.randomUUID() }))
    for (let round = 0; round < 3; round++) {
      limitFileSize(4096)
      try {
        expect((await change()).status).toBe(503)
      } finally {
        limitFileSize('unlimited')
      }
      await until(async () => (await change()).ok, { timeoutMs: 120_000, what: 'a change to be stored' })
    }
    await until(async () => (await workers()) === before, { timeoutMs: 30_000, what: 'one thread' })
  },
  300_000,
)

describe.skipIf(!canLimit)('a server without free file handles', () => {
  const openHandles = async () => (await readdir(`/proc/${server.pid}/fd`)).length
  const limit = (handles: number) =>
    Bun.spawnSync(['prlimit', '--pid', `${server.pid}`, `--nofile=${handles}:`])

  test('refuses new work before it begins, and accepts it when handles are free', async () => {
    const id = await keptId()
    limit((await openHandles()) + 20)
    await expectRefusals(id, 'no_handles_left')
    expect((await fetch(`${server.url}/captures/${id}`)).status).toBe(200)
    limit(4096)
    await expectAcceptance(id)
  })

  test('responds again after connections have used up all handles', async () => {
    const id = await keptId()
    limit((await openHandles()) + 40)
    const sockets: Socket[] = []
    for (let made = 0; made < 100; made++)
      sockets.push(
        connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' }).on('error', () => {}),
      )
    try {
      await until(async () => (await openHandles()) >= (await limitOf(server.pid)), {
        what: 'all handles to be used up',
      })
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await until(
      () =>
        fetch(`${server.url}/health`, { signal: AbortSignal.timeout(2000) }).then(
          (it) => it.ok,
          () => false,
        ),
      { timeoutMs: 60_000, what: 'an answer' },
    )
    limit(4096)
    await expectAcceptance(id)
  })
})

const limitOf = async (pid: number): Promise<number> =>
  Number(/Max open files +(\d+)/.exec(await Bun.file(`/proc/${pid}/limits`).text())?.[1])
