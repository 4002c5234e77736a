// Recordings that break off while they are sent to the running server, in the containers that recorders stream:
// what arrived is transcribed. What routes make of them without speech is test/http/capture-upload.test.ts.

import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { startServer } from '../support/server.ts'
import { recordingFile, wordsOf } from '../support/speech.ts'
import { until } from '../support/until.ts'

const server = await startServer()
afterAll(async () => void (await server.stop()))
const { port } = new URL(server.url)

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

async function newest(): Promise<Json | undefined> {
  return ((await (await fetch(`${server.url}/captures?limit=1`)).json()) as Json).items[0]
}

/** Sends the first part of a recording, in chunks, and cuts the connection. */
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
  test(`what came of ${file} is transcribed when the connection breaks`, async () => {
    const done = await cutOff(file, 0.7)
    expect(done).toMatchObject({
      status: 'completed',
      error: { code: 'upload_interrupted' },
      source: 'dictation',
    })
    expect(wordsOf(done.transcript_raw).length).toBeGreaterThanOrEqual(3)
  }, 90_000)
