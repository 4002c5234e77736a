// The life of captures on the whole server with real speech. One server and few captures serve all tests, because each
// transcription takes seconds.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, recording, recordingFile, wordsApart } from '../support/speech.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

let server: RunningServer
let kept: Json

beforeAll(async () => {
  server = await startServer()
  kept = await (await post('human-6.flac', { app_name: 'Notes', app_id: 'org.notes' })).json()
}, 400_000)
afterAll(() => server.stop())

const url = (path: string) => `${server.url}${path}`
const get = async (path: string): Promise<Json> => (await fetch(url(path))).json() as Promise<Json>
const post = async (file: string, fields: Record<string, string> = {}, query = '') =>
  fetch(url(`/captures${query}`), { method: 'POST', body: await formOf(file, fields) })
const send = (method: string, path: string, body?: unknown) =>
  fetch(url(path), {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
const onDisk = (capture: Json) => join(server.dataFolder, capture.audio_path)
/** Copies are written in the background. */
const isCopy = (name: string) => /\.json(\.part)?$/.test(name)
const filesKept = () =>
  readdirSync(join(server.dataFolder, 'captures'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => !isCopy(name),
  ).length

describe('an uploaded recording', () => {
  test('is returned with its text and stored byte for byte', async () => {
    expect(kept).toMatchObject({
      status: 'completed',
      source: 'file',
      error: null,
      file_name: 'human-6.flac',
    })
    expect(kept.text).toBe(kept.transcript_refined ?? kept.transcript_raw)
    expect(kept).toMatchObject({ app_name: 'Notes', stt_model: 'tiny.en-q5_1', auto_refine: true })
    expect(wordsApart(kept.transcript_raw, recording('human-6.flac').reference)).toBeLessThanOrEqual(1)
    expect(readFileSync(onDisk(kept))).toEqual(Buffer.from(await recordingFile('human-6.flac').arrayBuffer()))
  })

  test('has a copy next to it; both are readable by their owner only', async () => {
    const record = onDisk(kept).replace(/\.flac$/, '.json')
    const isCopied = () =>
      existsSync(record) && JSON.parse(readFileSync(record, 'utf8')).capture.status === 'completed'
    await until(isCopied, { what: 'the copy' })
    expect(JSON.parse(readFileSync(record, 'utf8')).capture.transcriptRaw).toBe(kept.transcript_raw)
    for (const file of [record, onDisk(kept)]) expect(statSync(file).mode & 0o077).toBe(0)
    expect(statSync(server.dataFolder).mode & 0o077).toBe(0)
  })

  test('is returned with segments and words when requested alone', async () => {
    const capture = await get(`/captures/${kept.id}`)
    const words = capture.segments.flatMap((segment: Json) => segment.words)
    expect(words.length).toBe(kept.word_count)
    expect(words[0]).toMatchObject({ word: 'He', start: expect.any(Number), probability: expect.any(Number) })
  })

  test('is found by its words in any case, with the match marked', async () => {
    const { items, total } = await get('/captures?q=AMIABLE')
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      id: kept.id,
      highlight: expect.stringContaining('<mark>amiable</mark>'),
    })
    expect((await get('/captures?q=zebra')).total).toBe(0)
    expect((await get('/captures?app=notes&source=file&status=completed&model=tiny.en-q5_1')).total).toBe(1)
    expect((await get('/captures?source=dictation')).total).toBe(0)
    expect((await get(`/captures?id_tail=${kept.id.slice(-6)}`)).total).toBe(1)
    expect((await get(`/captures?id_tail=${kept.id.slice(0, 6)}`)).total).toBe(0)
    expect((await get('/captures?since=2000-01-01T00:00:00Z&until=2000-01-02T00:00:00Z')).total).toBe(0)
  })

  test('accepts a title, a star and a corrected text, which the search finds', async () => {
    const changed = await send('PATCH', `/captures/${kept.id}`, {
      title: 'Austen',
      starred: true,
      transcript_refined: 'He might even have been made likeable.',
    })
    expect(await changed.json()).toMatchObject({
      title: 'Austen',
      starred: true,
      transcript_raw: kept.transcript_raw,
      text: 'He might even have been made likeable.',
      word_count: 7,
    })
    expect((await get('/captures?q=likeable&starred=true')).total).toBe(1)
  })

  test('can be played whole, in part and as WAV', async () => {
    const path = url(`/captures/${kept.id}/audio`)
    const bytes = Buffer.from(await recordingFile('human-6.flac').arrayBuffer())
    const whole = await fetch(path)
    expect(whole.headers.get('content-type')).toBe('audio/flac')
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes)

    const part = await fetch(path, { headers: { range: 'bytes=100-199' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200))

    const known = await fetch(path, { headers: { 'if-none-match': whole.headers.get('etag')! } })
    expect(known.status).toBe(304)
    expect((await fetch(path, { headers: { range: 'bytes=999999999-' } })).status).toBe(416)

    const head = await fetch(path, { method: 'HEAD', headers: { range: 'bytes=0-9' } })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])

    const wav = await fetch(`${path}?format=wav`)
    const samples = (Buffer.from(await wav.arrayBuffer()).length - 44) / 2
    expect(samples / 16_000).toBeCloseTo(kept.duration_ms / 1000, 2)
    // Decodings that took more than a second are kept for another minute.
    await until(() => readdirSync(join(server.dataFolder, 'work')).length === 0, { timeoutMs: 90_000 })
  })

  test('is exported in five formats', async () => {
    const exported = async (format: string) => {
      const response = await fetch(url(`/captures/${kept.id}/export?format=${format}`))
      expect(response.headers.get('content-disposition')).toContain(`filename="Austen.${format}"`)
      return response.text()
    }
    expect(await exported('txt')).toBe('He might even have been made likeable.\n')
    expect(await exported('md')).toStartWith('# Austen\n')
    expect(await exported('srt')).toMatch(/^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\nHe might even/)
    expect(await exported('vtt')).toMatch(/^WEBVTT\n\n00:00:0\d\.\d{3} --> /)
    expect(JSON.parse(await exported('json'))).toMatchObject({ id: kept.id, segments: expect.any(Array) })
  })

  test('is transcribed again, and the earlier transcript becomes a version', async () => {
    const again = await send('POST', `/captures/${kept.id}/retranscribe?wait=300`, { model: 'tiny.en' })
    expect(again.status).toBe(200)
    const capture = (await again.json()) as Json
    expect(capture).toMatchObject({
      status: 'completed',
      transcript_raw: kept.transcript_raw,
      transcript_refined: kept.transcript_refined,
    })
    const { items, total } = await get(`/captures/${kept.id}/versions`)
    // The first version is from before the correction by hand.
    expect(total).toBe(2)
    expect(items[1]).toMatchObject({
      number: 2,
      transcript_refined: 'He might even have been made likeable.',
    })
    const jobs = await get(`/jobs?capture_id=${kept.id}`)
    expect(jobs.items.map((job: Json) => [job.kind, job.state, job.attempts])).toEqual([
      ['retranscribe', 'completed', 1],
      ['transcribe', 'completed', 1],
    ])
  }, 400_000)
})

describe('a recording with a job in progress', () => {
  test('is acknowledged at once if the client does not wait, and cancelling stops it permanently', async () => {
    const response = await post('long-3-minutes.flac', {}, '?wait=false')
    expect(response.status).toBe(202)
    const { id } = (await response.json()) as Json
    expect(response.headers.get('location')).toBe(`/captures/${id}`)
    const job = () => get(`/jobs?capture_id=${id}`).then(({ items }) => items[0])
    await until(async () => (await job()).progress > 0, { timeoutMs: 300_000, what: 'the work to go on' })

    const busy = await send('POST', `/captures/${id}/retranscribe`, {})
    expect(busy.status).toBe(409)
    expect(await busy.json()).toMatchObject({ code: 'capture_busy', conflict_id: (await job()).id })

    const cancelled = await send('POST', `/captures/${id}/cancel`)
    expect(await cancelled.json()).toMatchObject({ id, status: 'canceled', transcript_raw: '' })
    expect((await job()).state).toBe('canceled')
    // The engine is immediately free for another recording, and nothing more is written to this one.
    expect((await post('nothing-silence.flac')).status).toBe(201)
    expect(await get(`/captures/${id}`)).toMatchObject({
      status: 'canceled',
      transcript_raw: '',
      segments: [],
    })
    expect((await send('POST', `/captures/${id}/cancel`)).status).toBe(409)
    expect((await send('DELETE', `/jobs/${(await job()).id}`)).status).toBe(409)
  }, 400_000)

  test('waits despite Prefer: respond-async if the query says wait', async () => {
    const response = await fetch(url('/captures?wait=30'), {
      method: 'POST',
      body: await formOf('nothing-hum.flac'),
      headers: { prefer: 'respond-async' },
    })
    expect(response.status).toBe(201)
    const patient = await fetch(url('/captures'), {
      method: 'POST',
      body: await formOf('nothing-hum.flac'),
      headers: { prefer: 'respond-async' },
    })
    expect([patient.status, patient.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
  })
})

describe('an unusable recording', () => {
  test('is stored as a failed capture if it is damaged audio', async () => {
    const broken = (await recordingFile('human-6.flac').bytes()).slice(0, 60)
    const form = new FormData()
    form.set('file', new File([broken], 'broken.flac'))
    const response = await fetch(url('/captures'), { method: 'POST', body: form })
    expect(response.status).toBe(201)
    const capture = (await response.json()) as Json
    expect(capture).toMatchObject({
      ...{ status: 'failed', text: '' },
      error: { code: 'undecodable_audio' },
      audio_available: true,
    })
    expect(readFileSync(onDisk(capture))).toEqual(Buffer.from(broken))
    const refined = await fetch(url(`/captures/${capture.id}/refine`), { method: 'POST' })
    const problem = (await refined.json()) as Json
    expect([refined.status, problem.code]).toEqual([409, 'capture_has_no_text'])
    expect(problem.detail).toContain(capture.error.message)
  })

  const REFUSED: [string, () => FormData, number, string][] = [
    ['an empty file', () => formWith(new File([], 'empty.wav')), 400, 'empty_file'],
    [
      'a text file called .wav',
      () => formWith(new File(['hello, this is text'], 'a.wav')),
      415,
      'unsupported_audio',
    ],
    ['a form without a file', () => formWith(null, { source: 'file' }), 422, 'invalid_request'],
    [
      'an unknown source',
      () => formWith(new File(['x'], 'a.wav'), { source: 'radio' }),
      422,
      'invalid_request',
    ],
    [
      'an unknown model',
      () => formWith(new File(['x'], 'a.wav'), { stt_model: 'huge' }),
      422,
      'unknown_model',
    ],
    [
      'a model not installed',
      () => formWith(new File(['x'], 'a.wav'), { stt_model: 'small' }),
      503,
      'model_not_installed',
    ],
    [
      'a language it cannot',
      () => formWith(new File(['x'], 'a.wav'), { language: 'de' }),
      422,
      'unsupported_language',
    ],
  ]
  for (const [what, form, status, code] of REFUSED)
    test(`refuses ${what} and stores nothing`, async () => {
      const before = filesKept()
      const response = await fetch(url('/captures'), { method: 'POST', body: form() })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ status, code, detail: expect.any(String) })
      expect(filesKept()).toBe(before)
      expect(readdirSync(join(server.dataFolder, 'inbox'))).toEqual([])
    })
})

function formWith(file: File | null, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  if (file !== null) form.set('file', file)
  return form
}

test('deletes a capture except for a tombstone without its words', async () => {
  const capture = (await (await post('nothing-chord.flac', { title: 'secret chord' })).json()) as Json
  const deleted = await send('DELETE', `/captures/${capture.id}`)
  expect(await deleted.json()).toEqual({ message: `Capture ${capture.id} deleted` })
  for (const path of ['', '/audio', '/versions', '/export?format=txt'])
    expect((await fetch(url(`/captures/${capture.id}${path}`))).status).toBe(404)
  expect((await send('DELETE', `/captures/${capture.id}`)).status).toBe(404)
  expect(existsSync(onDisk(capture))).toBe(false)
  const tombstone = readFileSync(onDisk(capture).replace(/\.flac$/, '.json'), 'utf8')
  expect(JSON.parse(tombstone).state).toBe('deleted')
  expect(tombstone).not.toContain('secret')
})

test('logs captures by id and never logs their text', () => {
  const log = JSON.stringify(server.log())
  expect(log).toContain(kept.id)
  expect(log.toLowerCase()).not.toContain('amiable')
  expect(log).not.toContain('likeable')
})
