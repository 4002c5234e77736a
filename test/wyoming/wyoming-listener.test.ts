// The port of the Wyoming protocol on the real server. The protocol's own client is in test/clients/wyoming-client.test.ts.

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { silentLog } from '../../src/lib/log.ts'
import { listenForWyoming } from '../../src/wyoming/wyoming-listener.ts'
import { spokenIn } from '../support/live.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import { asUser, NOBODY, whyNoOthers } from '../support/users.ts'
import { openWyoming, type WyomingClient, wyomingPortOf } from '../support/wyoming.ts'

/** Generous, for a busy machine. */
setDefaultTimeout(240_000)

const server = await startServer({ env: { DICTATION_WYOMING: '0' } })
const port = wyomingPortOf(server)
afterAll(async () => {
  expect(server.log().filter(({ level }) => level === 'error')).toEqual([])
  await server.stop()
})

const FORMAT = { rate: 16_000, width: 2, channels: 1 }
const speech = await spokenIn('short-03.flac')

function sendSpeech(client: WyomingClient) {
  client.send('audio-start', FORMAT)
  client.send('audio-chunk', FORMAT, new Uint8Array(speech.buffer))
}

const sessions = async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^dictation_live_sessions (\d+)$/m.exec(metrics)?.[1])
}

test('does not listen where the system does not report the owner of a socket, unless all users may connect', async () => {
  const options = {
    ...{ hostnames: ['127.0.0.1'], port: 0, log: silentLog },
    ...{ openSession: async () => null, openOwners: () => null },
  }
  expect(await listenForWyoming({ ...options, users: 'own' })).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('DICTATION_USERS=any') },
  })
  const open = await listenForWyoming({ ...options, users: 'any' })
  expect(open.ok).toBe(true)
  if (open.ok) await open.value.stop(0)
})

test('rejects a web page’s request at its first line, and processes nothing after it', async () => {
  const client = openWyoming(port)
  client.socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{"type": "describe"}\n')
  await client.closed()
  expect(client.received.map(({ type, data }) => [type, data.code])).toEqual([['error', 'invalid_request']])
})

test('a mistake in the middle of a stream loses none of the audio before it', async () => {
  const client = openWyoming(port, '::1')
  sendSpeech(client)
  client.send('audio-chunk', { ...FORMAT, rate: 8000 }, new Uint8Array(2))
  await client.closed()
  const [transcript, , error] = client.received.slice(-3)
  expect(transcript).toMatchObject({ type: 'transcript', data: { text: expect.stringMatching(/\w/) } })
  expect(error).toMatchObject({ type: 'error', data: { text: expect.stringContaining('format changed') } })
})

test('a client that disappears frees its session, and its audio is not stored', async () => {
  const clients = Array.from({ length: 10 }, () => openWyoming(port))
  for (const client of clients) sendSpeech(client)
  await until(async () => (await sessions()) === 10)
  const one = openWyoming(port)
  sendSpeech(one)
  expect((await one.first('error')).data.code).toBe('queue_full')
  for (const { socket } of clients) socket.destroy()
  await until(async () => (await sessions()) === 0)
  const captures = await (await fetch(`${server.url}/captures`)).json()
  expect(captures).toMatchObject({ total: 0 })
})

test.skipIf(whyNoOthers !== null)('rejects programs of other users', async () => {
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; echo '{"type": "describe"}' >&3; cat <&3`
  const child = Bun.spawn([...asUser(NOBODY), 'bash', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const text = await new Response(child.stdout).text()
  expect(text).toContain('"code":"peer_of_another_user"')
  expect(text).not.toContain('"asr"')
})

test('a 33rd connection is rejected', async () => {
  const clients = Array.from({ length: 32 }, () => openWyoming(port))
  for (const client of clients) client.send('ping')
  await Promise.all(clients.map((client) => client.first('pong')))
  const one = openWyoming(port)
  expect((await one.first('error')).data.code).toBe('queue_full')
  await one.closed()
  for (const { socket } of clients) socket.destroy()
})

test('a second server on the port does not start, and its message names the setting', async () => {
  const second = Bun.spawnSync([process.execPath, 'src/main.ts'], {
    env: {
      ...process.env,
      PORT: '0',
      DICTATION_WYOMING: String(port),
      DICTATION_DATA_DIR: join(server.dataFolder, 'second'),
    },
  })
  expect(second.exitCode).toBe(1)
  expect(second.stderr.toString()).toContain(`Port ${port} is already in use`)
  expect(second.stderr.toString()).toContain('DICTATION_WYOMING')
})

test('a stop sends the text of the audio so far, then closes', async () => {
  const client = openWyoming(port)
  sendSpeech(client)
  await until(async () => (await sessions()) === 1)
  expect(await server.stop()).toBe(0)
  expect(client.received.map(({ type }) => type)).toContain('transcript')
  expect(client.isClosed()).toBe(true)
})
