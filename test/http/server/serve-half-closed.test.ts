// Bun closes the connection while a response is pending if the client shuts down its sending side after a request, or
// sends the next request before the response. Such a request takes effect once, or not at all.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { type RunningServer, startServer } from '../../support/server.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
}, 120_000)
afterAll(() => server.stop())

const post = (file: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      `POST /captures?wait=false HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nContent-Type: audio/flac\r\nContent-Length: ${file.length}\r\n\r\n`,
    ),
    file,
  ])

const get = () => Buffer.from(`GET /health HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`)

/** The status lines until the server closes the connection, or has sent `answers` responses. */
async function statusesOf(
  sent: readonly Uint8Array[],
  { halfClose, answers }: { halfClose: boolean; answers: number },
): Promise<string[]> {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  let received = ''
  let isOver = false
  socket.on('data', (data) => (received += data))
  // Reset, if the server closed before it had read everything.
  for (const event of ['end', 'error', 'close']) socket.on(event, () => (isOver = true))
  socket.write(Buffer.concat(sent))
  if (halfClose) socket.end()
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!)
  await until(() => isOver || statuses().length === answers)
  socket.destroy()
  return statuses()
}

const capturesOf = async (file: Uint8Array): Promise<number> => {
  const audio_sha256 = new Bun.CryptoHasher('sha256').update(file).digest('hex')
  const query = new URLSearchParams({ audio_sha256 })
  return (await (await fetch(`${server.url}/captures?${query}`)).json()).total
}

test.each([
  ['whose client shuts down its sending side', 'short-01.flac', true],
  ['with the next request in the same packet', 'short-09.flac', false],
] as const)('a POST %s makes no second capture, and the server goes on', async (_, name, halfClose) => {
  const file = await recordingFile(name).bytes()
  const sent = halfClose ? [post(file)] : [post(file), get()]
  const statuses = await statusesOf(sent, { halfClose, answers: sent.length })
  expect([[], ['202'], ['202', '200']]).toContainEqual(statuses)
  expect(await statusesOf([get()], { halfClose: false, answers: 1 })).toEqual(['200'])
  expect(await capturesOf(file)).toBeLessThanOrEqual(1)
})
