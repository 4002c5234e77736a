// Recordings as the whole request body over real sockets: complete, in pieces, interrupted, paused. The recogniser is a stub;
// real speech is in test/api/upload.test.ts.

import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { getCaptureRoute, listCapturesRoute } from '../../../src/http/captures/captures.ts'
import { createCaptureRoute } from '../../../src/http/captures/create.ts'
import { receiveUpload } from '../../../src/http/captures/upload.ts'
import { composeApp } from '../../../src/http/compose-app.ts'
import { readAhead } from '../../../src/http/recording/receive.ts'
import { serve } from '../../../src/http/server/serve.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { succeed } from '../../../src/lib/result.ts'
import { DEFAULT_SETTINGS } from '../../../src/settings/settings.ts'
import { openWritingStyles } from '../../../src/writing/styles.ts'
import { openArchive, said } from '../../support/archive.ts'
import { testAtLength } from '../../support/at-length.ts'
import { createTestFolder } from '../../support/database.ts'
import { exchangeDeaf } from '../../support/exchange.ts'
import { recordingsIn } from '../../support/inbox.ts'
import { libraryPlace } from '../../support/library.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const MAX_BYTES = 200_000
const MAX_ARRIVING = 8
const archive = await openArchive({ transcribe: async () => succeed(said('hello')) })
const inbox = join(archive.dataFolder, 'inbox')
const { database, dataFolder, captures, jobs } = archive
const styles = await openWritingStyles(await libraryPlace({ database, dataFolder }))
const models = {
  resolve: async (name: string | null) =>
    succeed({
      ...{ name: name ?? 'tiny.en', path: '/nowhere', bytes: 1 },
      ...{ multilingual: false, knowsCantonese: false },
    }),
}
const shutdown = new AbortController()
/** Makes an upload wait as if the disk were slow. */
let roomChecked: Promise<void> = Promise.resolve()
const routes = [
  createCaptureRoute({
    ...{ jobs, models, styles, log: silentLog, shutdown: shutdown.signal },
    ...{ config: { maxUploadBytes: MAX_BYTES }, folders: { inbox } },
    captures: { ...captures, checkRoom: () => roomChecked.then(captures.checkRoom) },
    maxArriving: MAX_ARRIVING,
    settings: { current: () => DEFAULT_SETTINGS },
  }),
  listCapturesRoute(captures),
  getCaptureRoute(captures),
]
const app = await composeApp(routes, {
  ...{ config: { port: 0, token: null, users: 'own', origins: [] }, log: silentLog, version: '0' },
})
const broken: unknown[] = []
// Connections end after one second of silence, except those that may pause.
const started = await serve({
  ...{ fetch: app.fetch, hostnames: ['127.0.0.1'], port: 0, idleSeconds: 1 },
  onError: (error) => broken.push(error),
})
if (!started.ok) throw new Error(started.failure.message)
const { port } = started.value
afterAll(async () => {
  await started.value.stop(0)
  await archive[Symbol.asyncDispose]()
  expect(broken).toEqual([])
})
afterEach(async () => expect(await readdir(inbox)).toEqual([]))

const wav = Buffer.from(await recordingFile('formats/wav-s16.wav').arrayBuffer())
const url = `http://127.0.0.1:${port}`
const upload = async (body: Buffer, { query = '', type = 'audio/wav' } = {}) => {
  const headers = { 'content-type': type }
  const response = await fetch(`${url}/captures${query}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}

/** A request whose body is sent in chunks by the test. */
function begin(
  query = '',
  type = 'audio/wav',
): Promise<{ socket: Socket; received(): string; send(bytes: Buffer): void }> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /captures${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      resolve({
        ...{ socket, received: () => received },
        send: (bytes) =>
          socket.write(
            Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
          ),
      })
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', reject)
  })
}
const newest = async () => (await captures.list({ limit: 1, offset: 0 })).items[0]
const settled = async (before: string | undefined) =>
  until(
    async () => {
      const found = await newest()
      return found?.id !== before && ['completed', 'failed'].includes(found?.status ?? '') ? found : null
    },
    { what: 'a new capture to be done' },
  )
/** Bytes that have reached the disk. */
const arrived = async () => {
  const [name] = await recordingsIn(dataFolder)
  return name === undefined ? 0 : Bun.file(join(inbox, name)).size
}
const partOf = (bytes: number) =>
  until(async () => (await arrived()) >= bytes, { what: `${bytes} bytes to arrive` })

test('refuses more simultaneous uploads than allowed, with Retry-After, and accepts one when another has finished', async () => {
  const slow = await Promise.all(Array.from({ length: MAX_ARRIVING }, () => begin('?wait=false')))
  for (const one of slow) one.send(wav.subarray(0, 1000))
  await until(async () => (await recordingsIn(dataFolder)).length === MAX_ARRIVING)
  const refused = await upload(wav, { query: '?wait=false' })
  expect(refused.status).toBe(429)
  expect(refused.body.code).toBe('queue_full')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  for (const { socket, send } of slow) {
    send(wav.subarray(1000))
    socket.write('0\r\n\r\n')
  }
  await until(() => slow.every(({ received }) => /^HTTP\/1\.1 20[12]/.test(received())))
  for (const { socket } of slow) socket.destroy()
  expect((await upload(wav)).status).toBe(201)
})

describe('a recording that is the whole body', () => {
  test('is stored unchanged, with the fields of the query', async () => {
    const query = '?source=dictation&app_name=Mail&title=A%20note&language=en&file_name=a.wav&refine=false'
    const { status, headers, body } = await upload(wav, { query })
    expect([status, headers.get('location')]).toEqual([201, `/captures/${body.id}`])
    expect(body).toMatchObject({
      ...{ source: 'dictation', app_name: 'Mail', title: 'A note', language: 'en', file_name: 'a.wav' },
      ...{ status: 'completed', error: null, transcript_raw: 'hello', audio_bytes: wav.length },
      ...{ audio_sha256: new Bun.CryptoHasher('sha256').update(wav).digest('hex'), audio_type: 'audio/wav' },
    })
  })

  test('may have any media type of a recorder: the bytes decide', async () => {
    const types = ['audio/webm;codecs=opus', 'application/octet-stream', 'application/ogg', 'video/webm']
    for (const type of types) expect((await upload(wav, { type })).body.audio_type).toBe('audio/wav')
  })

  testAtLength(
    'may be sent while it is made, with pauses longer than the idle timeout',
    async () => {
      const before = (await newest())?.id
      const line = await begin('?source=dictation')
      for (const at of [0, 1, 2]) {
        line.send(wav.subarray(at * 20_000, at * 20_000 + 20_000))
        await partOf(at * 20_000 + 20_000)
        // The test needs this one second, after which Bun would close the connection.
        if (at === 1) await Bun.sleep(6000)
      }
      line.send(wav.subarray(60_000))
      line.socket.write('0\r\n\r\n')
      const made = await settled(before)
      expect(made).toMatchObject({ audioBytes: wav.length, error: null, source: 'dictation' })
      await until(() => line.received().includes('"status":"completed"'))
      expect(line.received()).toStartWith('HTTP/1.1 201')
      line.socket.destroy()
    },
    180_000,
  )

  testAtLength('may wait for a disk that responds later than the idle timeout', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    roomChecked = promise
    const line = await begin()
    line.send(wav.subarray(0, 1000))
    // Bun would close the connection after one second.
    await Bun.sleep(6000)
    resolve()
    line.send(wav.subarray(1000))
    line.socket.write('0\r\n\r\n')
    await until(() => line.received().includes('"status":"completed"'))
    expect(line.received()).toStartWith('HTTP/1.1 201')
    line.socket.destroy()
  })

  test('is stored and transcribed as far as it arrived when the connection breaks', async () => {
    const before = (await newest())?.id
    const line = await begin('?source=dictation&app_name=Notes')
    line.send(wav.subarray(0, 50_000))
    await partOf(50_000)
    line.send(wav.subarray(50_000, 64_000))
    line.socket.destroy()
    const made = await settled(before)
    expect(made).toMatchObject({
      ...{ source: 'dictation', appName: 'Notes', status: 'completed', transcriptRaw: 'hello' },
      error: { code: 'upload_interrupted' },
    })
    expect(made.audioBytes).toBeGreaterThanOrEqual(50_000)
    const file = Buffer.from(await Bun.file(join(dataFolder, made.audioPath)).arrayBuffer())
    expect(file).toEqual(wav.subarray(0, made.audioBytes))
    expect(made.audioSha256).toBe(new Bun.CryptoHasher('sha256').update(file).digest('hex'))
  })

  test('is stored completely if the connection breaks before the server has read it', async () => {
    for (let round = 0; round < 20; round++) {
      const before = (await newest())?.id
      const line = await begin('?source=dictation')
      line.send(wav.subarray(0, 60_000))
      line.socket.end()
      expect((await settled(before)).audioBytes).toBe(60_000)
    }
  }, 180_000)

  test('stays marked as interrupted after retranscription and after the trash', async () => {
    const before = (await newest())?.id
    const line = await begin()
    line.send(wav.subarray(0, 50_000))
    await partOf(50_000)
    line.socket.destroy()
    const { id } = await settled(before)
    const again = await captures.retranscribe(id, {
      ...{ model: null, language: null, prompt: null, keepRefined: false },
    })
    if (!again.ok) throw new Error(again.failure.message)
    await jobs.wait(again.value.jobId, { timeoutMs: 60_000 })
    await captures.trash(id)
    expect(await captures.restore(id)).toMatchObject({
      ...{ status: 'completed', error: { code: 'upload_interrupted' } },
    })
  })

  test('goes directly to the trash without transcription if discarded; restoring transcribes it', async () => {
    const { status, body } = await upload(wav, { query: '?discarded=true&source=dictation&wait=true' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'canceled', error: { code: 'trashed' }, transcript_raw: '' })
    expect(body.trashed_at).toBeString()
    expect((await newest())?.id).not.toBe(body.id)
    expect((await jobs.list({ captureId: body.id, limit: 1, offset: 0 })).total).toBe(0)
    expect(await captures.restore(body.id)).toMatchObject({ status: 'pending', trashedAt: null })
    await until(async () => (await captures.get(body.id))?.status === 'completed')
  })

  test('may be in a form with a query; the form takes precedence', async () => {
    const form = new FormData()
    form.append('app_name', 'Form')
    form.append('file', new Blob([new Uint8Array(wav)]), 'a.wav')
    const response = await fetch(`${url}/captures?app_name=Query&window_title=W`, {
      method: 'POST',
      body: form,
    })
    expect(await response.json()).toMatchObject({ app_name: 'Form', window_title: 'W', source: 'file' })
  })

  const refused: [
    what: string,
    body: Buffer,
    more: { query?: string; type?: string },
    status: number,
    code: string,
  ][] = [
    ['an empty body', Buffer.alloc(0), {}, 400, 'empty_file'],
    ['a body that is not a recording', Buffer.from('hello'.repeat(20_000)), {}, 415, 'unsupported_audio'],
    ['a recording over the size limit', Buffer.concat([wav, wav]), {}, 413, 'file_too_large'],
    ['another kind of body', wav, { type: 'text/plain' }, 415, 'unsupported_media_type'],
    ['an invalid query', wav, { query: '?source=x&discarded=1&more=1' }, 422, 'invalid_request'],
    ['a language the model lacks', wav, { query: '?language=de' }, 422, 'unsupported_language'],
    ['an unknown style', wav, { query: `?writing_style_id=${crypto.randomUUID()}` }, 422, 'invalid_request'],
  ]
  for (const [what, body, more, status, code] of refused)
    test(`refuses ${what} and stores nothing`, async () => {
      const before = (await newest())?.id
      expect(await upload(body, more)).toMatchObject({ status, body: { code } })
      expect((await newest())?.id).toBe(before!)
    })

  // Like Python's http.client; the body exceeds the buffers of the connection.
  const long = Buffer.concat([wav, Buffer.alloc(8_000_000)])
  for (const [what, query, code] of [
    ['an invalid query', '?discarded=perhaps', 'invalid_request'],
    ['a language the model lacks', '?language=de', 'unsupported_language'],
    ['a recording over the size limit', '', 'file_too_large'],
  ] as const)
    test(`refuses ${what} so that clients that read only after sending receive the response`, async () => {
      const head = `POST /captures${query} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: audio/wav\r\n`
      const sent = Buffer.from(`${head}Content-Length: ${long.length}\r\n\r\n`)
      expect(await exchangeDeaf(port, Buffer.concat([sent, long]))).toContain(`"${code}"`)
    })

  test('is stopped at the size limit, and stored up to there', async () => {
    const before = (await newest())?.id
    const line = await begin('?source=dictation&title=Long')
    for (let sent = 0; sent <= MAX_BYTES; sent += wav.length) line.send(wav)
    await until(() => line.received().includes('file_too_large'))
    expect(line.received()).toStartWith('HTTP/1.1 413')
    const made = await settled(before)
    expect(made).toMatchObject({
      ...{ audioBytes: MAX_BYTES, title: 'Long', status: 'completed', audioAvailable: true },
      error: { code: 'upload_interrupted' },
    })
    const problem = JSON.parse(line.received().slice(line.received().indexOf('{')))
    expect(problem).toMatchObject({ code: 'file_too_large', capture_id: made.id })
    expect(problem.detail).toContain('The part that had arrived is stored')
    line.socket.destroy()
  })

  test('is stopped and stored in the trash if discarded', async () => {
    const line = await begin('?discarded=true')
    for (let sent = 0; sent <= MAX_BYTES; sent += wav.length) line.send(wav)
    await until(() => line.received().includes('file_too_large'))
    const { capture_id: id } = JSON.parse(line.received().slice(line.received().indexOf('{')))
    expect(await captures.get(id)).toMatchObject({ audioBytes: MAX_BYTES, status: 'canceled' })
    line.socket.destroy()
  })

  test('leaves nothing if it is cut off before its format is known', async () => {
    const line = await begin()
    line.send(Buffer.from('RI'))
    await partOf(2)
    line.socket.destroy()
    await until(async () => (await readdir(inbox)).length === 0)
  })
})

describe('a client that stops sending without closing', () => {
  const receive = (body: ReadableStream<Uint8Array>, more: { pauseMs?: number; shutdown?: AbortSignal }) =>
    receiveUpload({
      request: new Request('http://localhost/captures', { method: 'POST' }),
      body: readAhead(new Request('http://localhost/captures', { method: 'POST', body })),
      ...{ folder: inbox, id: undefined, maxBytes: MAX_BYTES, shutdown: shutdown.signal, ...more },
    })
  const stalled = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(wav.subarray(0, 50_000))),
    })
  const discard = async (received: Awaited<ReturnType<typeof receive>>) => {
    if (received.ok) await Bun.file(received.value.path).delete()
  }

  test('times out, and the part that arrived is stored', async () => {
    const received = await receive(stalled(), { pauseMs: 50 })
    expect(received).toMatchObject({ value: { bytes: 50_000, interrupted: true, kind: { format: 'wav' } } })
    await discard(received)
  })

  testAtLength(
    'does not delay a stop of the server',
    async () => {
      const stopping = new AbortController()
      const receiving = receive(stalled(), { shutdown: stopping.signal })
      await partOf(50_000)
      stopping.abort()
      const received = await receiving
      expect(received).toMatchObject({ value: { bytes: 50_000, interrupted: true } })
      await discard(received)
    },
    180_000,
  )
})

test('a recording that was arriving when the process died becomes a capture after the next start', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const path = join(folder.dataFolder, 'inbox', `${crypto.randomUUID()}.audio`)
  await writeFile(path, wav.subarray(0, 50_000))
  const aMinuteLater = new Date(Date.now() + 60_000)
  await utimes(path, aMinuteLater, aMinuteLater)
  const { birthtime } = await stat(path)
  await writeFile(join(folder.dataFolder, 'inbox', `${crypto.randomUUID()}.audio`), 'RI')
  await first.stop()
  const second = await openArchive({ folder })
  expect(second.recovery.adopted).toBe(1)
  expect(await readdir(join(folder.dataFolder, 'inbox'))).toEqual([])
  const made = await until(async () => {
    const [found] = (await second.captures.list({ limit: 1, offset: 0 })).items
    return found?.status === 'completed' ? found : null
  })
  expect(made).toMatchObject({
    audioBytes: 50_000,
    error: { code: 'upload_interrupted' },
    source: 'recording',
    // The start of the recording, if the file system stores it, rather than the arrival of its end.
    recordedAt: birthtime.getTime() > 0 ? birthtime : aMinuteLater,
  })
  await second.stop()
})
