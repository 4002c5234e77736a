// What the remote engine sends, and that no behavior of the other server harms this one.

import { expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { createRemoteEngine, type RemoteEngineOptions } from '../../src/engine/remote-engine.ts'
import { readLanguage } from '../../src/text/language-names.ts'
import { until } from '../support/until.ts'
import { silence, startTranscriptionServer, verbose } from './transcription-server.ts'
import { windowRequest } from './window-request.ts'

const KEYS: Record<string, string> = { DICTATION_GPU_KEY: 'secret', DICTATION_TOKEN: 'own' }

const engineFor = (baseUrl: string, more: Partial<RemoteEngineOptions> = {}) =>
  createRemoteEngine({
    address: { baseUrl, apiKeyEnv: null },
    readKey: (name) => KEYS[name],
    readLanguage,
    ...more,
  })

/** For tests whose server never answers. */
const HASTY = { windowDeadlineMs: { fixed: 200, perSecond: 0 }, checkDeadlineMs: 60_000 }

test('sends a window as 16 kHz WAV with the key, and reads text, language and model', async () => {
  await using server = startTranscriptionServer(() => verbose('Guten Morgen', { language: 'German' }))
  const engine = engineFor(server.baseUrl, {
    address: { baseUrl: `${server.baseUrl}/`, apiKeyEnv: 'DICTATION_GPU_KEY' },
  })
  const samples = new Float32Array(16_000).fill(0.5)
  const result = await engine.transcribe(windowRequest({ samples, prompt: 'Names.' }))
  expect(result).toMatchObject({
    ok: true,
    value: {
      language: 'de',
      segments: [{ text: 'Guten Morgen', startMs: 0, endMs: 900 }],
      model: `faster-whisper-small (${new URL(server.baseUrl).host})`,
    },
  })
  const [listed, sent] = server.received
  expect([listed?.path, sent?.path]).toEqual(['/v1/models', '/v1/audio/transcriptions'])
  expect(sent?.authorization).toBe('Bearer secret')
  const form = sent!.form!
  expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
  const fields = ['model', 'response_format', 'prompt', 'language'].map((name) => form.get(name) ?? null)
  expect(fields).toEqual(['faster-whisper-small', 'verbose_json', 'Names.', null])
  const wav = Buffer.from(await (form.get('file') as File).arrayBuffer())
  expect([wav.length, wav.toString('latin1', 0, 4), wav.readUInt32LE(24)]).toEqual([32_044, 'RIFF', 16_000])
  expect(wav.readInt16LE(44)).toBe(16_384)
  // The list of models is requested once, not with every window.
  await engine.transcribe(windowRequest({ language: 'fr' }))
  expect(server.received.map(({ path }) => path).slice(2)).toEqual(['/v1/audio/transcriptions'])
  expect(server.received[2]?.form?.get('language')).toBe('fr')
})

test('transcribes with a server that has no list of models', async () => {
  await using server = startTranscriptionServer(
    () => verbose('Hello'),
    () => new Response('File Not Found', { status: 404 }),
  )
  expect(await engineFor(server.baseUrl).transcribe(windowRequest())).toMatchObject({ ok: true })
  expect(server.received[1]?.form?.get('model')).toBe('whisper-1')
})

const huge = () => {
  const chunk = new TextEncoder().encode(`{"segments": "${'blah '.repeat(10_000)}`)
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))
}
const stalled = () =>
  new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"segm')) }))

const bad: [what: string, answer: Parameters<typeof startTranscriptionServer>[0], message: string][] = [
  ['an error', () => new Response('broken', { status: 500 }), 'status 500'],
  ['no answer', silence, 'in time'],
  ['an answer that stalls', stalled, 'in time'],
  ['broken JSON', () => new Response('{"segments": ['), 'not JSON'],
  ['JSON without segments', () => Response.json({ text: 'Hello' }), 'not verbose_json'],
  ['no language', () => verbose('Hello', { language: 'Klingon' }), 'names no language'],
  ['an endless body', huge, 'too large'],
]

test.each(bad)('%s is a failure of the server', async (_what, answer, message) => {
  await using server = startTranscriptionServer(answer)
  const engine = engineFor(server.baseUrl, HASTY)
  const result = await engine.transcribe(windowRequest())
  expect(result).toMatchObject({ ok: false, failure: { code: 'remote_failed' } })
  expect(engine.problem()).toContain(message)
  expect(server.windows()).toBe(1)
})

test('does not follow a redirect', async () => {
  await using other = startTranscriptionServer(() => verbose('Stolen'))
  const away = () => Response.redirect(`${other.baseUrl}/audio/transcriptions`, 307)
  for (const [answer, list] of [[away], [() => verbose('Hello'), away]] as const) {
    await using server = startTranscriptionServer(answer, list)
    const result = await engineFor(server.baseUrl).transcribe(windowRequest())
    expect(result).toMatchObject({ ok: false, failure: { code: 'remote_failed' } })
  }
  expect(other.received).toEqual([])
})

test('reports a connection that is dropped or refused', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const engine = engineFor(`http://127.0.0.1:${port}/v1`)
  for (const state of ['dropped', 'refused']) {
    const result = await engine.transcribe(windowRequest())
    expect(result, state).toMatchObject({ ok: false, failure: { code: 'remote_failed' } })
    expect(engine.problem(), state).toContain('cannot be reached or closed the connection')
    await new Promise((resolve) => server.close(resolve))
  }
})

test('reports a refused key, and sends no window with a key that must not be sent', async () => {
  await using server = startTranscriptionServer(
    () => verbose('Hello'),
    () => new Response(null, { status: 401 }),
  )
  const codes: Record<string, string> = {
    DICTATION_GPU_KEY: 'requires a valid API key (status 401)',
    DICTATION_NOT_SET: 'DICTATION_NOT_SET is not set',
    DICTATION_TOKEN: 'engine_key_env must not name the token',
    AWS_SECRET_ACCESS_KEY: 'engine_key_env must begin with DICTATION_',
  }
  for (const [apiKeyEnv, message] of Object.entries(codes)) {
    const engine = engineFor(server.baseUrl, { address: { baseUrl: server.baseUrl, apiKeyEnv } })
    const result = await engine.transcribe(windowRequest())
    expect(result).toMatchObject({ ok: false, failure: { code: 'remote_refused' } })
    expect(engine.problem()).toContain(message)
  }
  expect(server.received.map(({ authorization }) => authorization)).toEqual(['Bearer secret'])
})

test('sends four windows at a time, and a cancel ends a request and is no problem of the server', async () => {
  const release = Promise.withResolvers<void>()
  await using server = startTranscriptionServer(async () => {
    await release.promise
    return verbose('Hello')
  })
  const engine = engineFor(server.baseUrl)
  const cancel = new AbortController()
  const first = engine.transcribe(windowRequest({ signal: cancel.signal }))
  const others = Array.from({ length: 8 }, () => engine.transcribe(windowRequest()))
  await until(() => server.windows() === 4)
  cancel.abort()
  expect(await first).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  await until(() => server.left() === 1, { what: 'the connection to be closed' })
  release.resolve()
  for (const result of await Promise.all(others)) expect(result).toMatchObject({ ok: true })
  expect(engine.problem()).toBeNull()
  expect(server.most()).toBeLessThanOrEqual(5)
})

test('closing ends a request', async () => {
  await using server = startTranscriptionServer(silence)
  const engine = engineFor(server.baseUrl)
  const waiting = engine.transcribe(windowRequest())
  await until(() => server.windows() === 1)
  await engine.close()
  expect(await waiting).toMatchObject({ ok: false, failure: { code: 'engine_closed' } })
  expect(await engine.transcribe(windowRequest())).toMatchObject({ failure: { code: 'engine_closed' } })
})
