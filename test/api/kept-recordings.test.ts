// A recording arrives while the machine cannot store more: the part that arrived becomes a capture without a restart.
// The server and the limits are real: a shrinking file system and process limits. Skipped elsewhere than on Linux as root.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDiskReserve } from '../../src/lib/disk-space.ts'
import { recordingsIn } from '../support/inbox.ts'
import { openLive, spokenIn } from '../support/live.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { wavHeader } from '../support/wav.ts'

const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  Bun.which('prlimit') !== null &&
  Bun.spawnSync(['unshare', '-m', 'true']).exitCode === 0

const DISK_MB = 1000
const MAX_UPLOAD_MB = 40
/** More than any file of the database and the ballast. */
const MAX_IN_A_FILE = 36 * 1024 ** 2
const MOUNT = `mount -t tmpfs -o mode=700,size=${DISK_MB}m none "$0" && exec "$@"`
const soon = { timeoutMs: 60_000 }

let server: RunningServer
let folder: string
beforeAll(async () => {
  if (!canMount) return
  folder = await mkdtemp(join(tmpdir(), 'dictation-kept-'))
  server = await startServer({
    dataFolder: folder,
    env: { DICTATION_MAX_UPLOAD_MB: String(MAX_UPLOAD_MB), DATABASE_URL: '' },
    within: ['unshare', '-m', 'sh', '-c', MOUNT, folder],
  })
})
// The previous test may have used it up; the server restores it once an hour.
beforeEach(async () => {
  if (canMount) await createDiskReserve(inside())
})
afterAll(async () => {
  if (!canMount) return
  expect(await server.stop()).toBe(0)
  await rm(folder, { recursive: true, force: true })
})

/** The path of a file in the server's mount namespace. */
const inside = (...path: string[]) => join(`/proc/${server.pid}/root${folder}`, ...path)
const inbox = () => readdir(inside('inbox'))

function remount(option: string): void {
  const { exitCode, stderr } = Bun.spawnSync([
    'nsenter',
    '-t',
    `${server.pid}`,
    '-m',
    'mount',
    '-o',
    `remount,${option}`,
    folder,
  ])
  if (exitCode !== 0) throw new Error(String(stderr))
}
const limit = (what: string) => Bun.spawnSync(['prlimit', '--pid', `${server.pid}`, what])

async function fillDiskExcept(bytes: number): Promise<void> {
  const { blocks, bfree, bsize } = await statfs(inside())
  remount(`size=${(blocks - bfree) * bsize + bytes}`)
}

type Failure = {
  what: string
  strike(): Promise<void> | void
  mend(): void
  /** the problem that the client receives; null if the recording ends normally */
  code: string | null
  /** how many bytes to send until it strikes */
  bytes: number
}

const FAILURES: Failure[] = [
  {
    what: 'the disk is full',
    strike: () => fillDiskExcept(512 * 1024),
    mend: () => remount(`size=${DISK_MB}m`),
    code: 'disk_full',
    bytes: 8 * 1024 ** 2,
  },
  {
    what: 'a file reaches the size limit of the system',
    strike: () => void limit(`--fsize=${MAX_IN_A_FILE}:`),
    mend: () => limit('--fsize=unlimited:'),
    code: 'file_too_large',
    bytes: MAX_IN_A_FILE + 2 * 1024 ** 2,
  },
  {
    what: 'it reaches the size limit for recordings',
    strike: () => {},
    mend: () => {},
    code: 'file_too_large',
    bytes: (MAX_UPLOAD_MB + 2) * 1024 ** 2,
  },
  {
    what: 'less space is left than new work needs',
    strike: () => fillDiskExcept(100 * 1024 ** 2),
    mend: () => remount(`size=${DISK_MB}m`),
    code: null,
    bytes: 1024 ** 2,
  },
]

/** Failures that prevent storing the recording while they last. */
const LASTING_FAILURES: Omit<Failure, 'code' | 'bytes'>[] = [
  {
    what: 'no more files can be created',
    async strike() {
      // The ballast would make space for one.
      await rm(inside('ballast'), { force: true })
      const { files, ffree } = await statfs(inside())
      remount(`nr_inodes=${files - ffree}`)
    },
    mend: () => remount('nr_inodes=0'),
  },
  {
    what: 'no file handles are left',
    // Fewer than are already open.
    strike: () => void limit('--nofile=16:'),
    mend: () => limit('--nofile=4096:'),
  },
]

/** Recordings that were stored, or could not be stored. */
const attempts = () =>
  server
    .log()
    .filter(({ msg, phase }) => phase === 'committed' || /could not store a recording/.test(String(msg)))
    .length

const RATE = 192_000
const PIECE = 256 * 1024

type Sent = Uint8Array<ArrayBuffer>
type Captured = { id: string; status: string; audio_available: boolean; error: { code: string } | null }

const json = async (path: string) => (await fetch(server.url + path)).json()
const captures = async () => ((await json('/captures?limit=100')) as { items: Captured[] }).items

/** The only new capture; its audio equals the bytes sent, as far as they were stored. */
async function expectKept(before: Captured[], sent: Sent, storedBytes: number): Promise<Captured> {
  const known = new Set(before.map(({ id }) => id))
  const made = await until(async () => {
    const fresh = (await captures()).filter(({ id }) => !known.has(id))
    expect(fresh.length).toBeLessThan(2)
    return fresh.find(({ status }) => status === 'completed' || status === 'failed')
  }, soon)
  expect(made.audio_available).toBe(true)
  const audio = await (await fetch(`${server.url}/captures/${made.id}/audio`)).bytes()
  expect(audio.length).toBeGreaterThanOrEqual(storedBytes)
  const samples = audio.subarray(44)
  expect(Buffer.compare(samples, sent.subarray(0, samples.length))).toBe(0)
  await until(async () => (await inbox()).length === 0, soon)
  await fetch(`${server.url}/captures/${made.id}`, { method: 'DELETE' })
  return made
}

async function storedBytes(): Promise<number> {
  const [name] = await recordingsIn(inside())
  return name === undefined ? 0 : (await stat(inside('inbox', name))).size
}
const atLeastStored = (bytes: number) => until(async () => (await storedBytes()) >= bytes, soon)

/** Speech, followed by silence. */
async function recordingOf(bytes: number): Promise<Sent> {
  const words = new Uint8Array((await spokenIn('short-01.flac')).buffer)
  const all = new Uint8Array(Math.max(bytes, words.length))
  all.set(words)
  return all
}

type Line = {
  send(bytes: Sent): void
  end(): void
  /** the code of the final problem; null for success */
  outcome: Promise<string | null>
}

const WAYS: Record<string, () => Promise<Line>> = {
  async 'on a live socket'() {
    const live = await openLive(server.url, { query: { keep: 'true', language: 'en', rate: String(RATE) } })
    await live.first('ready')
    return {
      send: (bytes) => live.send(bytes),
      end: live.stop,
      outcome: live.closed.then(() => live.of('error')[0]?.code ?? null),
    }
  },
  'in a body of unknown length': () =>
    new Promise((resolve, reject) => {
      const { port, host } = new URL(server.url)
      const outcome = Promise.withResolvers<string | null>()
      let received = ''
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /captures?wait=false HTTP/1.1\r\nHost: ${host}\r\nContent-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n`,
        )
        const send = (bytes: Uint8Array) =>
          socket.write(
            Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
          )
        send(wavHeader({ dataBytes: 0xffff_ffff - 36, rate: RATE, channels: 1 }))
        resolve({ send, end: () => socket.write('0\r\n\r\n'), outcome: outcome.promise })
      })
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        if (/\r\n\r\n.*\}/s.test(received))
          outcome.resolve(/"code":"([a-z_]+)","detail"/.exec(received)?.[1] ?? null)
      })
      socket.on('close', () => outcome.reject(new Error(`closed after ${received}`)))
      socket.on('error', reject)
    }),
}

for (const [way, begin] of Object.entries(WAYS))
  describe.skipIf(!canMount)(`a recording sent ${way}`, () => {
    for (const { what, strike, mend, code, bytes } of FAILURES)
      test(`is stored as far as it arrived if ${what}`, async () => {
        const before = await captures()
        const sent = await recordingOf(bytes)
        const line = await begin()
        line.send(sent.subarray(0, PIECE))
        await atLeastStored(PIECE)
        try {
          await strike()
          for (let at = PIECE; at < sent.length; at += PIECE) {
            line.send(sent.subarray(at, at + PIECE))
            // No faster than it is stored, so that nothing waits in memory when the failure strikes.
            const continues = await Promise.race([
              line.outcome.then(() => false),
              atLeastStored(at).then(
                () => true,
                () => true,
              ),
            ])
            if (!continues) break
          }
          const stored = await storedBytes()
          if (code === null) line.end()
          expect(await line.outcome).toBe(code)
          const made = await expectKept(before, sent, stored)
          expect(made.error?.code ?? null).toBe(code === null ? null : 'upload_interrupted')
        } finally {
          mend()
        }
      })

    for (const { what, strike, mend } of LASTING_FAILURES)
      test(`waits in the inbox while ${what}, and becomes a capture as soon as possible`, async () => {
        const before = await captures()
        const sent = await recordingOf(PIECE)
        const attempted = attempts()
        const line = await begin()
        line.send(sent)
        await atLeastStored(sent.length)
        try {
          await strike()
          line.end()
          await until(() => attempts() > attempted, soon)
        } finally {
          mend()
        }
        await expectKept(before, sent, sent.length)
      })
  })
