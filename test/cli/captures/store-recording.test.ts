// A recording whose first response is lost: it must be stored once.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type RunningServer, startServer } from '../../support/server.ts'
import { recordingFile } from '../../support/speech.ts'

const main = resolve(import.meta.dir, '../../../src/cli/main.ts')

let server: RunningServer
let folder: string
beforeAll(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'dictation-store-'))
  await copyFile(recordingFile('short-01.flac').name!, join(folder, 'memo.flac'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Passes requests on, and cuts the connection instead of the first response to an upload. */
async function lossyServer() {
  let uploads = 0
  const lossy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', headers } = request
    const passed = await fetch(new URL(request.url!, server.url), {
      method,
      headers: { 'content-type': headers['content-type'] ?? '' },
      ...(method === 'POST' && { body: Buffer.concat(chunks) }),
    })
    const body = await passed.bytes()
    if (method === 'POST' && uploads++ === 0) return void request.socket.destroy()
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((ready) => lossy.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(lossy.address() as AddressInfo).port}`
  return { url, uploads: () => uploads, [Symbol.dispose]: () => void lossy.close() }
}

/** Passes connections on, and cuts the first upload after some of it has reached the server. */
async function cuttingServer() {
  let uploads = 0
  const { hostname, port } = new URL(server.url)
  const cutting = createTcpServer((client) => {
    const upstream = connect(Number(port), hostname)
    let bytes = Number.NEGATIVE_INFINITY
    client.on('data', (piece) => {
      const text = piece.toString('latin1')
      if (text.startsWith('POST /captures') && uploads++ === 0) bytes = 0
      bytes += piece.length
      // The server accepts its own address only.
      upstream.write(text.replace(/^host: \S+/im, `host: ${hostname}:${port}`), 'latin1')
      if (bytes > CUT_AFTER_BYTES) client.destroy()
    })
    upstream.on('data', (piece) => client.write(piece))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((ready) => cutting.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
  return { url, uploads: () => uploads, [Symbol.dispose]: () => void cutting.close() }
}

const CUT_AFTER_BYTES = 200_000

test('an upload of record that breaks off leaves no part beside the whole recording', async () => {
  const total = async () =>
    ((await (await fetch(`${server.url}/captures?source=recording`)).json()) as { total: number }).total
  const before = await total()
  using cutting = await cuttingServer()
  const child = Bun.spawn([process.execPath, main, 'record', '--input', 'head -c 640000 /dev/urandom'], {
    cwd: folder,
    env: { ...process.env, DICTATION_URL: cutting.url, DICTATION_DATA_DIR: join(folder, 'own') },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = await new Response(child.stderr).text()
  expect([await child.exited, errors]).toEqual([0, expect.any(String)])
  expect([(await total()) - before, cutting.uploads()]).toEqual([1, 2])
}, 120_000)

for (const [name, ...args] of [
  ['record', '--input', 'cat /dev/urandom | head -c 64000'],
  ['import', 'memo.flac', '--wait', '--source', 'recording'],
] as const)
  test(`${name} stores a recording once, also if the response to the upload is lost`, async () => {
    const total = async () =>
      ((await (await fetch(`${server.url}/captures?source=recording`)).json()) as { total: number }).total
    const before = await total()
    using lossy = await lossyServer()
    const child = Bun.spawn([process.execPath, main, name, ...args], {
      cwd: folder,
      env: { ...process.env, DICTATION_URL: lossy.url, DICTATION_DATA_DIR: join(folder, 'own') },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const errors = await new Response(child.stderr).text()
    expect([await child.exited, errors]).toEqual([0, expect.any(String)])
    expect([(await total()) - before, lossy.uploads()]).toEqual([1, 1])
  }, 120_000)
