// Acknowledged changes and interrupted recordings after SIGKILL of the real server.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { recordingsIn } from '../support/inbox.ts'
import { openLive, spokenIn } from '../support/live.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(300_000)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

let folder: TestFolder
let server: RunningServer
const start = async () => {
  const { dataFolder, databaseUrl } = folder
  server = await startServer({ dataFolder, env: databaseUrl === null ? {} : { DATABASE_URL: databaseUrl } })
}
beforeAll(async () => {
  folder = await createTestFolder()
  await start()
})
afterAll(async () => {
  await server.stop()
  await folder[Symbol.asyncDispose]()
})

const get = async (path: string): Promise<Json> => (await fetch(server.url + path)).json()

async function send(method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(server.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect([path, response.ok]).toEqual([path, true])
  return response.json()
}

async function upload(name: string, query: string): Promise<Json> {
  const form = new FormData()
  form.set('file', new File([await recordingFile(name).arrayBuffer()], name))
  return (await fetch(`${server.url}/captures?${query}`, { method: 'POST', body: form })).json()
}

const completed = (id: string): Promise<Json> =>
  until(
    async () => {
      const capture = await get(`/captures/${id}`)
      return ['completed', 'failed'].includes(capture.status) ? capture : null
    },
    { timeoutMs: 120_000, what: `the transcript of ${id}` },
  )

test('keeps an acknowledged change after the server is killed at once', async () => {
  const { id } = await upload('short-17.flac', 'wait=true')
  const gone = await upload('nothing-silence.flac', 'wait=true')
  const trashed = await upload('nothing-silence.flac', 'wait=true')
  await send('PATCH', `/captures/${id}`, { title: 'A title', starred: true })
  await send('PATCH', `/captures/${id}`, { transcript_refined: 'By hand.' })
  await send('PATCH', `/captures/${id}/segments/0`, { text: 'What is the weather in Turin?' })
  const [shown, versions] = [await get(`/captures/${id}`), await get(`/captures/${id}/versions`)]
  expect(versions.total).toBe(2)
  await server.kill()

  await start()
  expect(await get(`/captures/${id}`)).toEqual(shown)
  expect(await get(`/captures/${id}/versions`)).toEqual(versions)
  await send('POST', `/captures/${trashed.id}/trash`)
  await send('DELETE', `/captures/${gone.id}`)
  const waiting = await upload('short-13.flac', 'wait=false&title=Last')
  const again = await send('POST', `/captures/${id}/retranscribe?wait=false`, { model: 'tiny.en' })
  await server.kill()

  await start()
  expect((await fetch(`${server.url}/captures/${gone.id}`)).status).toBe(404)
  expect((await get('/captures?trashed=true')).items).toMatchObject([{ id: trashed.id }])
  expect(await completed(waiting.id)).toMatchObject({
    title: 'Last',
    status: 'completed',
    error: null,
  })
  const job = () => get(`/jobs/${again.job_id}`)
  await until(async () => (await job()).state === 'completed', { what: 'the retranscription' })
  expect((await get(`/captures/${id}/versions`)).total).toBe(3)
})

/** The note next to the only recording in the inbox, once this much of the recording is on disk. */
async function arrived(bytes: number): Promise<Json> {
  const { dataFolder } = folder
  const inbox = join(dataFolder, 'inbox')
  return until(
    async () => {
      const [name] = await recordingsIn(dataFolder)
      const note = (await readdir(inbox)).find((one) => one.endsWith('.json'))
      if (name === undefined || note === undefined) return null
      expect(name.replace(/\.audio$/, '')).toBe(note.replace(/\.json$/, ''))
      if ((await stat(join(inbox, name))).size < bytes) return null
      return JSON.parse(await readFile(join(inbox, note), 'utf8'))
    },
    { what: 'the recording to arrive' },
  )
}

async function sendInPieces(query: string, piece: Buffer): Promise<Socket> {
  const { port, host } = new URL(server.url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(Number(port), '127.0.0.1', resolve)
  socket.on('error', reject)
  await promise
  const head = `POST /captures?${query} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: audio/flac\r\n`
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${piece.length.toString(16)}\r\n`)
  socket.write(piece)
  return socket
}

test('keeps the query fields of a chunked body that a kill interrupts, and marks the capture', async () => {
  const fields = { title: 'Lunch', app_name: 'Mail', language: 'en', recorded_at: '2026-01-02T03:04:05.678Z' }
  const query = new URLSearchParams({ source: 'dictation', window_title: 'Re: lunch', ...fields })
  const whole = Buffer.from(await recordingFile('short-17.flac').arrayBuffer())
  const piece = whole.subarray(0, whole.length >> 1)
  const socket = await sendInPieces(query.toString(), piece)
  const note = await arrived(piece.length)
  await server.kill()
  socket.destroy()

  await start()
  expect(await completed(note.id)).toMatchObject({
    ...fields,
    ...{ source: 'dictation', window_title: 'Re: lunch', created_at: note.madeAt },
    ...{ status: 'completed', error: { code: 'upload_interrupted' }, audio_bytes: piece.length },
  })
  expect(await get(`/jobs/${note.jobId}`)).toMatchObject({ capture_id: note.id, state: 'completed' })
  expect(await readdir(join(folder.dataFolder, 'inbox'))).toEqual([])
})

test('keeps the fields of a live recording that a kill interrupts, and marks the capture', async () => {
  const before = (await get('/captures')).total
  const query = { keep: 'true', language: 'en', app_name: 'Notes' }
  const live = await openLive(server.url, { query })
  const samples = await spokenIn('short-17.flac')
  live.send(samples)
  const note = await arrived(samples.byteLength)
  await server.kill()

  await start()
  expect(await completed(note.id)).toMatchObject({
    ...{ source: 'dictation', app_name: 'Notes', language: 'en', recorded_at: note.fields.recordedAt },
    ...{ status: 'completed', error: { code: 'upload_interrupted' }, audio_available: true },
  })
  expect((await get('/captures')).total).toBe(before + 1)
})
