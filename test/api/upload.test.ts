// Interrupted uploads to the running server in streaming containers: the part that arrived is transcribed. Tests without speech
// are in test/http/captures/upload.test.ts.

import { afterAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startServer } from '../support/server.ts'
import { recordingFile, wordsOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const server = await startServer()
afterAll(async () => void (await server.stop()))
const { port } = new URL(server.url)

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

async function newest(): Promise<Json | undefined> {
  return ((await (await fetch(`${server.url}/captures?limit=1`)).json()) as Json).items[0]
}

/** Sends the first part of a recording in chunks and closes the connection. */
async function cutOff(file: string, share: number): Promise<Json> {
  const before = (await newest())?.id
  const bytes = Buffer.from(await recordingFile(file).arrayBuffer())
  const part = bytes.subarray(0, Math.floor(bytes.length * share))
  const { promise: sent, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(
      `POST /captures?source=dictation HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: audio/webm\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    socket.write(`${part.length.toString(16)}\r\n`)
    socket.write(part)
    socket.write('\r\n', () => resolve())
  })
  await sent
  socket.end()
  const done = await until(
    async () => {
      const found = await newest()
      return found && found.id !== before && ['completed', 'failed'].includes(found.status) ? found : null
    },
    { timeoutMs: 60_000, what: `${file} to be transcribed` },
  )
  expect(done.audio_bytes).toBe(part.length)
  return done
}

for (const file of [
  'formats/wav-s16.wav',
  'formats/ogg-opus.opus',
  'formats/webm-opus-live.webm',
  'human-1.flac',
])
  test(`transcribes the part of ${file} that arrived before the connection broke`, async () => {
    const done = await cutOff(file, 0.7)
    expect(done).toMatchObject({
      status: 'completed',
      error: { code: 'upload_interrupted' },
      source: 'dictation',
    })
    expect(wordsOf(done.transcript_raw).length).toBeGreaterThanOrEqual(3)
  }, 180_000)

test('POST /transcribe transcribes a recording that is the whole body and stores nothing', async () => {
  const response = await fetch(`${server.url}/transcribe?response_format=text&language=en`, {
    method: 'POST',
    headers: { 'content-type': 'audio/ogg' },
    body: await recordingFile('formats/ogg-opus.opus').arrayBuffer(),
  })
  expect(response.status).toBe(200)
  expect(wordsOf(await response.text()).length).toBeGreaterThanOrEqual(3)
  expect(await readdir(join(server.dataFolder, 'inbox'))).toEqual([])
}, 180_000)

test('refuses an interrupted recording on POST /transcribe and stores nothing', async () => {
  const bytes = Buffer.from(await recordingFile('human-1.flac').arrayBuffer())
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write(
      `POST /transcribe HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: audio/flac\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    )
    socket.write(bytes.subarray(0, bytes.length >> 1))
  })
  const inbox = () => readdir(join(server.dataFolder, 'inbox'))
  await until(async () => (await inbox()).length === 1, { what: 'it to arrive' })
  socket.destroy()
  await until(async () => (await inbox()).length === 0, { what: 'it to be gone' })
}, 180_000)
