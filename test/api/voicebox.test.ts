// The requests of Voicebox's web client, taken from its client library and hooks, against the real server.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { completion, dictated, startModelServer } from '../llm/model-server.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = any

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const recording = join(import.meta.dir, '../speech/short-01.flac')

/** Voicebox's client: any 2xx is a success; otherwise the user sees `detail`. */
async function fetchJson(path: string, init?: RequestInit): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, init)
  const body: Json = await response.json()
  if (!response.ok) throw new Error(typeof body.detail === 'string' ? body.detail : `HTTP ${response.status}`)
  return body
}

const send = (method: string, path: string, body: object) =>
  fetchJson(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

async function dictate(more: Record<string, string> = {}): Promise<Json> {
  const form = new FormData()
  form.append('file', new File([await readFile(recording)], 'recording.wav'))
  form.append('source', 'dictation')
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  return fetchJson('/captures', { method: 'POST', body: form })
}

test('its desktop app adopts the server with GET /health', async () => {
  const health = await fetchJson('/health')
  expect(health.status).toBe('healthy')
  expect([typeof health.model_loaded, typeof health.gpu_available]).toEqual(['boolean', 'boolean'])
  expect(await fetchJson('/')).toMatchObject({ message: expect.any(String), version: expect.any(String) })
})

test('its desktop app learns that no GPU is used, and why', async () => {
  await dictate()
  expect(await fetchJson('/health')).toMatchObject({
    ...{ gpu_available: false, gpu_type: null, backend_type: 'wasm' },
    engine: { device: 'cpu', device_reason: 'The engine is set to cpu.' },
  })
})

test('its settings page finds the captures folder', async () => {
  const { healthy, directories } = await fetchJson('/health/filesystem')
  expect(healthy).toBe(true)
  expect(directories.find(({ path }: Json) => path.includes('captures'))).toMatchObject({ writable: true })
})

test('transcribes a dictation in one request, with everything that its list shows', async () => {
  const capture = await dictate()
  expect(capture).toMatchObject({
    source: 'dictation',
    language: null,
    transcript_raw: expect.stringMatching(/local dictation service/i),
    stt_model: expect.any(String),
    auto_refine: true,
    allow_auto_paste: true,
  })
  expect(capture.audio_path).toContain(capture.id)
  expect(capture.duration_ms).toBeGreaterThan(1000)
  expect(Number.isNaN(Date.parse(capture.created_at))).toBe(false)
})

test('its list requests 200 captures at once and searches locally', async () => {
  const { id } = await dictate()
  const { items, total } = await fetchJson('/captures?limit=200&offset=0')
  expect(items[0].id).toBe(id)
  expect(total).toBe(items.length)
})

test('refines with an empty body and with flags', async () => {
  const { id } = await dictate()
  const refined = await send('POST', `/captures/${id}/refine`, {})
  expect(refined.transcript_refined).toMatch(/local dictation service/i)
  const flags = { smart_cleanup: true, self_correction: false, preserve_technical: true }
  const again = await send('POST', `/captures/${id}/refine`, { flags, model_size: '0.6B' })
  expect(again.refinement_flags).toEqual(flags)
})

test('does not fetchJson the language model again after automatic refinement', async () => {
  await using model = startModelServer((request) => completion(dictated(request).replace(/[.]?$/, '!')))
  await send('PUT', '/settings/captures', { llm_base_url: model.baseUrl, llm_model: '0.6B' })
  const { id, transcript_refined } = await dictate()
  expect([transcript_refined.at(-1), model.requests.length]).toEqual(['!', 1])
  const again = await send('POST', `/captures/${id}/refine`, {})
  expect([again.transcript_refined, model.requests.length]).toEqual([transcript_refined, 1])
  const flags = { smart_cleanup: true, self_correction: true, preserve_technical: false }
  await send('POST', `/captures/${id}/refine`, { flags })
  expect(model.requests.length).toBe(2)
  await send('PUT', '/settings/captures', { llm_base_url: null, llm_model: 'auto' })
})

test('retranscribes, and the refined text is updated', async () => {
  const { id } = await dictate()
  const again = await send('POST', `/captures/${id}/retranscribe`, { language: 'en' })
  expect(again).toMatchObject({ id, transcript_raw: expect.stringMatching(/dictation/i) })
})

test('its player gets the whole recording and parts of it', async () => {
  const { id } = await dictate()
  const whole = await fetch(`${server.url}/captures/${id}/audio`)
  expect(Number(whole.headers.get('content-length'))).toBe((await whole.arrayBuffer()).byteLength)
  const part = await fetch(`${server.url}/captures/${id}/audio`, { headers: { Range: 'bytes=0-99' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
})

test('deletes a capture and shows the message', async () => {
  const { id } = await dictate()
  expect((await fetchJson(`/captures/${id}`, { method: 'DELETE' })).message).toBe(`Capture ${id} deleted`)
  await expect(fetchJson(`/captures/${id}`)).rejects.toThrow(id)
})

test('reads and writes its settings as a whole object', async () => {
  const settings = await fetchJson('/settings/captures')
  const changed = await send('PUT', '/settings/captures', {
    language: 'en',
    smart_cleanup: false,
    new_key: 1,
  })
  const warnings = [{ code: 'unknown_setting', message: expect.stringContaining('new_key') }]
  expect(changed).toEqual({ ...settings, language: 'en', smart_cleanup: false, warnings })
  await send('PUT', '/settings/captures', { language: 'auto', smart_cleanup: true })
})

test('is ready without a language model if the settings do not use one', async () => {
  const { stt, llm } = await fetchJson('/capture/readiness')
  expect([stt.ready, llm.ready]).toEqual([true, true])
  expect(stt).toMatchObject({ model_name: expect.any(String), display_name: expect.any(String) })
})

test('warns if the selected model is missing, without blocking dictation or hiding the model in use', async () => {
  const codes = ({ warnings }: Json) => warnings.map(({ code }: Json) => code)
  const chosen = await send('PUT', '/settings/captures', { llm_model: '0.6B', stt_model: 'turbo' })
  expect(codes(chosen)).toEqual(['model_not_installed', 'llm_not_configured'])
  expect((await fetchJson('/capture/readiness')).llm.ready).toBe(true)
  const capture = await dictate()
  expect([capture.status, codes(capture)]).toEqual(['completed', ['model_not_installed']])
  expect(capture.warnings[0].message).toContain(capture.stt_model)
  await send('PUT', '/settings/captures', { llm_model: 'auto', stt_model: 'auto' })
})

test('its model page finds its five names and the bundled models, and starts no download', async () => {
  const { models } = await fetchJson('/models/status')
  const names = models.map(({ model_name }: Json) => model_name)
  for (const size of ['base', 'small', 'medium', 'large', 'turbo']) expect(names).toContain(`whisper-${size}`)
  const shown = models.filter((model: Json) => model.model_name.startsWith('whisper') && model.downloaded)
  expect(shown).toMatchObject([
    { model_name: 'whisper-base', display_name: 'Whisper Base (q5_1)', downloading: false },
    { model_name: 'whisper-tiny.en-q5_1', display_name: 'Whisper Tiny, English (q5_1)', downloading: false },
  ])
  expect(models.some(({ downloading }: Json) => downloading)).toBe(false)
  expect((await send('POST', '/models/download/cancel', { model_name: 'whisper-base' })).message).toBeString()
})

test('its polling finds nothing to do, and clearing changes nothing', async () => {
  expect(await fetchJson('/tasks/active')).toMatchObject({ downloads: [], generations: [] })
  expect((await send('POST', '/tasks/clear', {})).message).toBeString()
})

test('unsupported features return a message that it can show', async () => {
  const form = new FormData()
  form.append('file', new File([await readFile(recording)], 'a.wav'))
  form.append('model', 'turbo')
  // Voicebox's own server returns 202 here, which its page takes for an undefined transcript.
  await expect(fetchJson('/transcribe', { method: 'POST', body: form })).rejects.toThrow(/not installed/)
  await expect(dictate({ stt_model: 'enormous' })).rejects.toThrow(/enormous/)
  const empty = new FormData()
  empty.append('file', new File([], 'empty.wav'))
  await expect(fetchJson('/captures', { method: 'POST', body: empty })).rejects.toThrow(/empty/i)
})

test('its desktop app is accepted by default', async () => {
  const origin = 'tauri://localhost'
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'PUT' }
  const preflight = await fetch(`${server.url}/settings/captures`, { method: 'OPTIONS', headers })
  const response = await fetch(`${server.url}/settings/captures`, { headers: { Origin: origin } })
  for (const { headers } of [preflight, response])
    expect(headers.get('access-control-allow-origin')).toBe(origin)
})

test('accepts the page of its development server if configured', async () => {
  const origin = 'http://localhost:5173'
  await using open = await startServer({ env: { DICTATION_ORIGINS: origin } })
  const preflight = await fetch(`${open.url}/captures`, {
    method: 'OPTIONS',
    headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
  const response = await fetch(`${open.url}/captures?limit=200&offset=0`, { headers: { Origin: origin } })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin])
})

test('its progress events are unnamed', async () => {
  const response = await fetch(`${server.url}/models/progress/whisper-base`)
  expect(response.headers.get('content-type')).toStartWith('text/event-stream')
  const reader = response.body!.getReader()
  const first = await until(async () => new TextDecoder().decode((await reader.read()).value), {
    what: 'the stream to begin',
  })
  expect(first).not.toContain('event:')
  await reader.cancel()
})
