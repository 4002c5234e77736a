// A recording whose first response is lost: it must be stored once.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
