// Acknowledged changes and interrupted recordings after SIGKILL of the real server.

import { expect, setDefaultTimeout, test } from 'bun:test'
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

const serverOn = ({ dataFolder, databaseUrl }: TestFolder): Promise<RunningServer> =>
  startServer({ dataFolder, env: databaseUrl === null ? {} : { DATABASE_URL: databaseUrl } })

const get = async ({ url }: RunningServer, path: string): Promise<Json> => (await fetch(url + path)).json()

async function send({ url }: RunningServer, method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect([path, response.ok]).toEqual([path, true])
  return response.json()
}

async function upload({ url }: RunningServer, name: string, query: string): Promise<Json> {
  const form = new FormData()
  form.set('file', new File([await recordingFile(name).arrayBuffer()], name))
  return (await fetch(`${url}/captures?${query}`, { method: 'POST', body: form })).json()
}

const completed = (server: RunningServer, id: string): Promise<Json> =>
  until(
    async () => {
      const capture = await get(server, `/captures/${id}`)
      return ['completed', 'failed'].includes(capture.status) ? capture : null
    },
    { timeoutMs: 120_000, what: `the transcript of ${id}` },
  )

test('keeps an acknowledged change after the server is killed at once', async () => {
  await using folder = await createTestFolder()
  await using first = await serverOn(folder)
  const { id } = await upload(first, 'short-17.flac', 'wait=true')
  const gone = await upload(first, 'nothing-silence.flac', 'wait=true')
  const trashed = await upload(first, 'nothing-silence.flac', 'wait=true')
  await send(first, 'PATCH', `/captures/${id}`, { title: 'A title', starred: true })
  await send(first, 'PATCH', `/captures/${id}`, { transcript_refined: 'By hand.' })
  await send(first, 'PATCH', `/captures/${id}/segments/0`, { text: 'What is the weather in Turin?' })
  const [shown, versions] = [
    await get(first, `/captures/${id}`),
    await get(first, `/captures/${id}/versions`),
  ]
  expect(versions.total).toBe(2)
  await first.kill()

  await using second = await serverOn(folder)
  expect(await get(second, `/captures/${id}`)).toEqual(shown)
  expect(await get(second, `/captures/${id}/versions`)).toEqual(versions)
  await send(second, 'POST', `/captures/${trashed.id}/trash`)
  await send(second, 'DELETE', `/captures/${gone.id}`)
  const waiting = await upload(second, 'short-13.flac', 'wait=false&title=Last')
  const again = await send(second, 'POST', `/captures/${id}/retranscribe?wait=false`, { model: 'tiny.en' })
  await second.kill()

  await using third = await serverOn(folder)
  expect((await fetch(`${third.url}/captures/${gone.id}`)).status).toBe(404)
  expect((await get(third, '/captures?trashed=true')).items).toMatchObject([{ id: trashed.id }])
  expect(await completed(third, waiting.id)).toMatchObject({
    title: 'Last',
    status: 'completed',
    error: null,
  })
  const job = () => get(third, `/jobs/${again.job_id}`)
  await until(async () => (await job()).state === 'completed', { what: 'the retranscription' })
  expect((await get(third, `/captures/${id}/versions`)).total).toBe(3)
})

/** The note next to the only recording in the inbox, once this much of the recording is on disk. */
async function arrived({ dataFolder }: TestFolder, bytes: number): Promise<Json> {
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

async function sendInPieces({ url }: RunningServer, query: string, piece: Buffer): Promise<Socket> {
  const { port, host } = new URL(url)
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
  await using folder = await createTestFolder()
  await using first = await serverOn(folder)
  const fields = { title: 'Lunch', app_name: 'Mail', language: 'en', recorded_at: '2026-01-02T03:04:05.678Z' }
  const query = new URLSearchParams({ source: 'dictation', window_title: 'Re: lunch', ...fields })
  const whole = Buffer.from(await recordingFile('short-17.flac').arrayBuffer())
  const piece = whole.subarray(0, whole.length >> 1)
  const socket = await sendInPieces(first, query.toString(), piece)
  const note = await arrived(folder, piece.length)
  await first.kill()
  socket.destroy()

  await using second = await serverOn(folder)
  expect(await completed(second, note.id)).toMatchObject({
    ...fields,
    ...{ source: 'dictation', window_title: 'Re: lunch', created_at: note.madeAt },
    ...{ status: 'completed', error: { code: 'upload_interrupted' }, audio_bytes: piece.length },
  })
  expect(await get(second, `/jobs/${note.jobId}`)).toMatchObject({ capture_id: note.id, state: 'completed' })
  expect(await readdir(join(folder.dataFolder, 'inbox'))).toEqual([])
})

test('keeps the fields of a live recording that a kill interrupts, and marks the capture', async () => {
  await using folder = await createTestFolder()
  await using first = await serverOn(folder)
  const query = { keep: 'true', language: 'en', app_name: 'Notes' }
  const live = await openLive(first.url, { query })
  const samples = await spokenIn('short-17.flac')
  live.send(samples)
  const note = await arrived(folder, samples.byteLength)
  await first.kill()

  await using second = await serverOn(folder)
  expect(await completed(second, note.id)).toMatchObject({
    ...{ source: 'dictation', app_name: 'Notes', language: 'en', recorded_at: note.fields.recordedAt },
    ...{ status: 'completed', error: { code: 'upload_interrupted' }, audio_available: true },
  })
  expect((await get(second, '/captures')).total).toBe(1)
})
