// The capture routes: forms, waiting, names, refusals. Files, database and queue are real; the recogniser is a stub. Real
// speech is in test/api/captures.test.ts.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  cancelCaptureRoute,
  deleteCaptureRoute,
  getCaptureRoute,
  listCapturesRoute,
  updateCaptureRoute,
} from '../../../src/http/captures/captures.ts'
import { createCaptureRoute } from '../../../src/http/captures/create.ts'
import { exportRoute } from '../../../src/http/captures/export.ts'
import { retranscribeCaptureRoute } from '../../../src/http/captures/retranscribe.ts'
import { captureVersionsRoute } from '../../../src/http/captures/versions.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { succeed } from '../../../src/lib/result.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings.ts'
import { BUILTIN_STYLES } from '../../../src/writing/builtin-styles.ts'
import { openWritingStyles } from '../../../src/writing/styles.ts'
import { type ArchiveOptions, openArchive, said } from '../../support/archive.ts'
import { libraryPlace } from '../../support/library.ts'
import { recordingFile } from '../../support/speech.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const models = {
  resolve: async (name: string | null) =>
    succeed({
      ...{ name: name ?? 'tiny.en', path: '/nowhere', bytes: 1 },
      ...{ multilingual: name === 'base', knowsCantonese: false },
    }),
}
const engine = {
  info: () => ({
    ...{ name: 'plain', version: '1', threads: 1, simd: 'simd128' as const, maxModelBytes: 2_000_000_000 },
    ...{ prompt: false, secondPass: false, translate: true, wordTimes: true },
  }),
}
const recording = new Uint8Array(await recordingFile('short-01.flac').arrayBuffer())

let shutdown = new AbortController()
let spoken = 'hello'
let settings: Partial<Settings> = {}
beforeEach(() => {
  shutdown = new AbortController()
  spoken = 'hello'
})

async function open(options: ArchiveOptions = {}) {
  const archive = await openArchive({ transcribe: async () => succeed(said(spoken)), ...options })
  const inbox = join(archive.dataFolder, 'inbox')
  const { database, dataFolder } = archive
  const styles = await openWritingStyles(await libraryPlace({ database, dataFolder }))
  const deps = {
    ...{ captures: archive.captures, jobs: archive.jobs, models, engine, log: silentLog },
    ...{ config: { maxUploadBytes: 3_000_000 }, folders: { inbox } },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, ...settings }) },
    styles,
    shutdown: shutdown.signal,
  }
  const routes = [
    ...[createCaptureRoute(deps), updateCaptureRoute(deps), retranscribeCaptureRoute(deps)],
    ...[listCapturesRoute, getCaptureRoute, deleteCaptureRoute].map((route) => route(archive.captures)),
    ...[exportRoute, cancelCaptureRoute, captureVersionsRoute].map((route) => route(archive.captures)),
  ]
  const { call } = await webOf(routes)
  const post = (fields: [string, string | Blob, string?][], query = '') => {
    const form = new FormData()
    for (const [name, value, fileName] of fields)
      if (typeof value === 'string') form.append(name, value)
      else form.append(name, value, fileName ?? 'note.flac')
    return call(`/captures${query}`, { method: 'POST', body: form })
  }
  const retranscribe = (id: string, body: Json, query = '') =>
    call(`/captures/${id}/retranscribe${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  return {
    ...{ archive, call, post, retranscribe, inbox },
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  }
}
const file = () => new Blob([recording])

const web = await open()
afterAll(() => web[Symbol.asyncDispose]())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('recorded_at', () => {
  const send = (recordedAt: string) =>
    web.post([
      ['file', file()],
      ['recorded_at', recordedAt],
    ])
  const raw = (recordedAt: string) =>
    web.call(`/captures?recorded_at=${encodeURIComponent(recordedAt)}`, {
      ...{ method: 'POST', headers: { 'content-type': 'audio/flac' }, body: recording },
    })
  const patch = (id: string, recorded_at: unknown) =>
    web.call(`/captures/${id}`, {
      ...{ method: 'PATCH', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ recorded_at }),
    })

  test('is accepted in a form, in the query of a raw recording, and in a later change', async () => {
    for (const sent of [await send('2019-05-01T14:00:00+02:00'), await raw('2019-05-01T12:00:00Z')]) {
      expect(sent.status).toBe(201)
      const capture = (await sent.json()) as Json
      expect(capture).toMatchObject({ recorded_at: '2019-05-01T12:00:00.000Z', warnings: [] })
      expect(Date.parse(capture.created_at)).toBeGreaterThan(Date.parse('2026-01-01'))
    }
    const { id, recorded_at, created_at } = (await (await web.post([['file', file()]])).json()) as Json
    expect(recorded_at).toBe(created_at)
    const changed = (await (await patch(id, '2019-05-02')).json()) as Json
    expect(changed).toMatchObject({ recorded_at: new Date(2019, 4, 2).toISOString(), created_at })
    expect(await (await web.call(`/captures/${id}`)).json()).toMatchObject(changed)
    expect(await (await patch(id, null)).json()).toMatchObject({ recorded_at: created_at })
  })

  test('refuses impossible times', async () => {
    const { id } = (await (await web.post([['file', file()]])).json()) as Json
    for (const [time, message] of [
      [inDays(1.5), 'must not be in the future'],
      ['1859-12-30', 'must be 1860 or later, because there are no earlier recordings'],
      ['0001-01-01T00:00:00Z', 'must be 1860 or later, because there are no earlier recordings'],
      ['2019-02-30', /must be a day that exists/],
      ['yesterday', /./],
      ['1556712000', /./],
    ] as const)
      for (const response of [await send(time), await raw(time), await patch(id, time)]) {
        expect(response.status).toBe(422)
        const { errors } = (await response.json()) as Json
        expect(errors).toMatchObject([{ path: '/recorded_at' }])
        if (typeof message === 'string') expect(errors[0].message).toBe(message)
        else expect(errors[0].message).toMatch(message)
      }
    expect((await send(inDays(0.5))).status).toBe(201)
    expect(await readdir(web.inbox)).toEqual([])
  })

  test('warns about a recording that is older than the retention limit', async () => {
    settings = { retentionDays: 30 }
    const { warnings } = (await (await send('2019-05-01')).json()) as Json
    expect(warnings).toMatchObject([
      { code: 'removed_soon', message: expect.stringContaining('older than 30 days') },
    ])
    settings = { audioRetentionDays: 7 }
    expect(((await (await send('2019-05-01')).json()) as Json).warnings[0].message).toContain('Its audio')
    expect(((await (await send(inDays(-1))).json()) as Json).warnings).toEqual([])
    settings = {}
  })
})

describe('the form of a recording', () => {
  test('may contain the model after the file, whatever the language before it', async () => {
    const response = await web.post([
      ['language', 'de'],
      ['file', file()],
      ['stt_model', 'base'],
    ])
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ language: 'de', status: 'completed' })
  })

  test('refuses a language that the model lacks, in any order of the fields', async () => {
    const orders: [string, string | Blob][][] = [
      [
        ['language', 'de'],
        ['file', file()],
      ],
      [
        ['stt_model', 'tiny.en'],
        ['language', 'de'],
        ['file', file()],
      ],
      [
        ['file', file()],
        ['stt_model', 'tiny.en'],
        ['language', 'de'],
      ],
    ]
    for (const fields of orders) {
      const response = await web.post(fields)
      expect(response.status).toBe(422)
      expect(((await response.json()) as Json).code).toBe('unsupported_language')
    }
    expect(await readdir(web.inbox)).toEqual([])
  })

  test('is retranscribed without an error about a language that came only from earlier settings', async () => {
    settings = { language: 'de' }
    const { id, language } = (await (await web.post([['file', file()]])).json()) as Json
    settings = {}
    expect(language).toBe('de')
    expect((await web.retranscribe(id, {})).status).toBe(200)
    for (const chosen of [{ model: 'tiny.en' }, { language: 'de' }])
      expect(((await (await web.retranscribe(id, chosen)).json()) as Json).code).toBe('unsupported_language')
  })

  test('may contain a clipboard, and warns about steps that could not be applied', async () => {
    let clipboard: string | null = null
    const warning = { code: 'dictionary_too_slow', message: 'A pattern took too long.' }
    await using own = await open({
      transcribe: async (request) => {
        clipboard = request.clipboard?.() ?? null
        return succeed({ ...said('hello'), warnings: [warning] })
      },
    })
    const parts: [string, string | Blob][] = [
      ['clipboard', 'https://example.com'],
      ['file', file()],
    ]
    const { id, warnings } = (await (await own.post(parts)).json()) as Json
    expect([clipboard, warnings]).toEqual(['https://example.com', [warning]])
    await own.retranscribe(id, { clipboard: 'again' })
    expect(clipboard!).toBe('again')
    await own.retranscribe(id, {})
    expect(clipboard).toBeNull()
  })

  test('keeps the beginning and the end of a very long file name', async () => {
    const response = await web.post([['file', file(), `${'長'.repeat(5000)}\u0001.flac`]])
    expect(response.status).toBe(201)
    const { file_name } = (await response.json()) as Json
    expect(file_name).toBe(`${'長'.repeat(494)}….flac`)
  })

  test('accepts file names that are not UTF-8, with replacement characters', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="M\xfcller.flac"\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head, 'latin1'), recording, Buffer.from('\r\n--b--\r\n')])
    const form = await web.call('/captures', {
      ...{ method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    })
    const alone = await web.call('/captures?file_name=M%FCller.flac', {
      ...{ method: 'POST', body: recording, headers: { 'content-type': 'audio/flac' } },
    })
    for (const response of [form, alone])
      expect(await response.json()).toMatchObject({
        file_name: 'M\uFFFDller.flac',
        title: 'M\uFFFDller.flac',
      })
  })

  test('removes characters from a file name that text cannot contain', async () => {
    const head = `--b\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''a%00b%0Ac.flac\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), recording, Buffer.from('\r\n--b--\r\n')])
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const response = await web.call('/captures', { method: 'POST', body, headers })
    expect(response.status).toBe(201)
    expect(((await response.json()) as Json).file_name).toBe('abc.flac')
  })

  test('refuses an upload without reading it if the queue is full', async () => {
    await using full = await open({ maxQueue: 0 })
    const response = await full.post([['file', file()]])
    expect(response.status).toBe(429)
    expect(response.headers.get('connection')).toBe('close')
    expect(response.headers.get('retry-after')).toBe('10')
  })

  test('leaves nothing of a recording that could not be stored', async () => {
    await using broken = await open()
    await writeFile(join(broken.archive.dataFolder, 'captures'), 'in the way')
    expect((await broken.post([['file', file()]])).status).toBe(500)
    expect(await readdir(broken.inbox)).toEqual([])
  })
})

describe('a title', () => {
  test('is shortened in scripts without spaces between words', async () => {
    spoken = '春眠不覺曉處處聞啼鳥'.repeat(10_000)
    // Without a file name, the title consists of the first words.
    const made = (await (await web.post([['file', file(), '\u0001']])).json()) as Json
    expect(made.title).toBe(`${[...spoken].slice(0, 120).join('')} …`)
    const exported = await web.call(`/captures/${made.id}/export`)
    expect(exported.headers.get('content-type')).toStartWith('text/plain')
    expect(exported.headers.get('content-disposition')!.length).toBeLessThan(2000)
  })
})

describe('a writing style of its own', () => {
  test('is assigned to a capture, refused if unknown, and removed', async () => {
    const { id } = (await (await web.post([['file', file()]])).json()) as Json
    const change = async (style: string | null) => {
      const response = await web.call(`/captures/${id}`, {
        method: 'PATCH',
        body: JSON.stringify({ writing_style_id: style }),
        headers: { 'content-type': 'application/json' },
      })
      return (await response.json()) as Json
    }
    const { id: style } = BUILTIN_STYLES[1]!
    expect(await change(style)).toMatchObject({ writing_style_id: style })
    expect(await change(crypto.randomUUID())).toMatchObject({
      ...{ status: 422, errors: [{ in: 'body', path: '/writing_style_id' }] },
    })
    expect(await change(null)).toMatchObject({ writing_style_id: null })
  })
})

describe('transcribing again', () => {
  const keep = async (to: typeof web, query = '') =>
    (await (await to.post([['file', file()]], query)).json()) as Json

  test('reports options that the engine does not support, in both responses', async () => {
    const { id } = await keep(web)
    const done = await web.retranscribe(id, { prompt: 'Ada' })
    expect(done.status).toBe(200)
    const body = (await done.json()) as Json
    expect(body).toMatchObject({ id, segments: [{ text: 'hello' }], warnings: [{ code: 'prompt_ignored' }] })
    const queued = await web.retranscribe(id, { prompt: 'Ada' }, '?wait=false')
    expect(queued.status).toBe(202)
    expect(await queued.json()).toMatchObject({ warnings: [{ code: 'prompt_ignored' }] })
    const busy = async () => {
      const { waiting, active } = await web.archive.jobs.counts()
      return waiting + active > 0
    }
    await until(async () => !(await busy()), { what: 'the queued job to end' })
    const plain = (await (await web.retranscribe(id, {})).json()) as Json
    expect(plain.warnings).toEqual([])
  })

  test('responds immediately when the server stops, with the URL of the job', async () => {
    await using idle = await open({ working: false })
    const { id } = await keep(idle, '?wait=false')
    const cancelled = await idle.call(`/captures/${id}/cancel`, { method: 'POST' })
    expect(cancelled.status).toBe(200)
    const waiting = idle.retranscribe(id, {}, '?wait=true')
    await until(async () => (await idle.archive.jobs.counts()).waiting === 1)
    shutdown.abort()
    const response = await waiting
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toStartWith('/jobs/')
  })
})
