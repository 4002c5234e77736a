// POST /transcribe: forms, checks, formats, streaming, clean-up. The transcriber and the models are stubs, so nothing is
// decoded; real speech is in test/speech.test.ts.

import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DictatedTranscript, Dictation, DictationRequest } from '../../../src/dictation/dictation.ts'
import { transcribeRoute } from '../../../src/http/transcribe/transcribe.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import type { ModelFailure } from '../../../src/models/store.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

const folder = await mkdtemp(join(tmpdir(), 'dictation-transcribe-'))
afterAll(() => rm(folder, { recursive: true }))

const word = { word: 'Hello.', startMs: 0, endMs: 900, probability: 0.9 }
const segment = {
  startMs: 0,
  endMs: 1000,
  text: 'Hello.',
  avgLogprob: -0.2,
  noSpeechProb: null,
  words: [word],
}
const transcript: DictatedTranscript = {
  ...{ engineText: 'Hello.', corrections: 0, warnings: [] },
  text: 'Hello.',
  segments: [segment],
  language: 'en',
  languageProbability: null,
  model: 'tiny.en-q5_1',
  durationMs: 1234,
  processingMs: { decode: 1.4, transcribe: 20 },
}

const state = { requests: [] as DictationRequest[] }
let transcribe: Dictation['transcribe'] = async () => succeed(transcript)
let settings: Partial<Settings> = {}
beforeEach(() => {
  settings = {}
  state.requests = []
  transcribe = async () => succeed(transcript)
})

const modelFile = (name: string) => ({
  name,
  path: '/nowhere',
  bytes: 1,
  multilingual: !name.includes('.en'),
  knowsCantonese: false,
})
const models = {
  async resolve(name: string | null) {
    if (name === null || name === 'tiny.en' || name === 'base') return succeed(modelFile(name ?? 'tiny.en'))
    if (name === 'small') return fail<ModelFailure>({ code: 'model_not_installed', message: 'Put it there.' })
    return fail<ModelFailure>({
      code: 'unknown_model',
      message: `There is no model called "${name}"; known are …`,
    })
  },
}
const engine = {
  info: () => ({
    ...{ name: 'plain', version: '1', threads: 1, simd: 'simd128' as const },
    ...{ prompt: false, secondPass: false, translate: true, wordTimes: true, maxModelBytes: 2_000_000_000 },
  }),
}
const shutdown = new AbortController()
const { call } = await webOf([
  transcribeRoute({
    config: { maxUploadBytes: 3_000_000, maxQueue: 2 },
    activeTranscriptions: { count: 0 },
    ...{ log: silentLog, engine, models, shutdown: shutdown.signal, folders: { inbox: folder } },
    settings: { current: () => ({ ...DEFAULT_SETTINGS, ...settings }) },
    dictation: {
      transcribe(request) {
        state.requests.push(request)
        return transcribe(request)
      },
    },
  }),
])

const recording = await Bun.file(join(import.meta.dir, '../../speech/short-01.flac')).bytes()
type Fields = Record<string, string | Blob>
const file = (content: BlobPart = recording) => new File([content], '../../evil.wav')
const post = (fields: Fields, init: RequestInit = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return call('/transcribe', { method: 'POST', body: form, ...init })
}
/** The recording in a part without a file name. */
const postPart = (head: string, content: Uint8Array) =>
  call('/transcribe', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="file"\r\n${head}\r\n`),
      content,
      Buffer.from('\r\n--b--\r\n'),
    ]),
  })
const left = () => readdir(folder)
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('returns a transcript with every member', async () => {
  const response = await post({ file: file() })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    ...{ text: 'Hello.', duration: 1.234, language: 'en', language_probability: null },
    ...{ model: 'tiny.en-q5_1', processing_ms: 21, warnings: [] },
    segments: [
      { id: 0, start: 0, end: 1, text: 'Hello.', language: null, avg_logprob: -0.2, no_speech_prob: null },
    ],
  })
  expect(await left()).toEqual([])
})

test('accepts fields before and after the file, and treats blank ones as absent', async () => {
  await post({ model: 'base', language: '', file: file(), task: 'translate', prompt: 'Ada' })
  expect(state.requests[0]).toMatchObject({
    model: 'base',
    language: null,
    task: 'translate',
    prompt: 'Ada',
    kind: { format: 'flac' },
  })
  await post({ file: file(), language: 'auto', model: 'base' })
  await post({ language: 'de', file: file(), model: 'base' })
  settings = { language: 'fr' }
  await post({ file: file(), model: 'base' })
  await post({ file: file(), model: 'base', language: 'auto' })
  await post({ file: file() })
  expect(state.requests.slice(1).map(({ language }) => language)).toEqual([null, 'de', 'fr', null, 'fr'])
})

const formats: [format: string, type: string, content: string][] = [
  ['text', 'text/plain; charset=utf-8', 'Hello.\n'],
  ['srt', 'application/x-subrip; charset=utf-8', '1\n00:00:00,000 --> 00:00:01,000\nHello.\n'],
  ['vtt', 'text/vtt; charset=utf-8', 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello.\n'],
]
for (const [response_format, type, content] of formats) {
  test(`returns ${response_format}`, async () => {
    const response = await post({ file: file(), response_format })
    expect(response.headers.get('content-type')).toBe(type)
    expect((await response.text()).trimEnd()).toBe(content.trimEnd())
  })
}

test('limits the captions of subtitles', async () => {
  const text = 'One two three four five six seven eight nine ten.'
  const words = text.split(' ').map((word, at) => ({
    ...{ word, startMs: at * 400, endMs: at * 400 + 300, probability: 0.9 },
  }))
  const long = { ...transcript, text, segments: [{ ...segment, endMs: 4000, text, words }] }
  transcribe = async () => succeed(long)
  const linesOf = async (response: Response) =>
    (await response.text()).split('\n').filter((line) => /[a-z]/.test(line) && !line.includes('-->'))
  const whole = await post({ file: file(), response_format: 'srt' })
  expect(await linesOf(whole)).toEqual([text])
  const fields = { response_format: 'srt', max_line_characters: '20', max_lines: '1' }
  const limited = await linesOf(await post({ file: file(), ...fields }))
  expect(limited.join(' ')).toBe(text)
  expect(limited.length).toBeGreaterThan(2)
  expect(Math.max(...limited.map(({ length }) => length))).toBeLessThanOrEqual(20)
  const refused = await post({ file: file(), ...fields, max_lines: '9' })
  expect(await refused.json()).toMatchObject({ errors: [{ in: 'form', path: '/max_lines' }] })
})

test('returns words on request', async () => {
  for (const fields of [{ word_timestamps: 'true' }, { response_format: 'verbose_json' }] as Fields[]) {
    const body = (await (await post({ file: file(), ...fields })).json()) as { segments: object[] }
    expect(body.segments[0]).toMatchObject({
      words: [{ word: 'Hello.', start: 0, end: 0.9, probability: 0.9 }],
    })
  }
})

test('warns about steps that could not be applied to the text, and accepts a clipboard', async () => {
  const warning = { code: 'language_ignored', message: 'It transcribes English.' }
  transcribe = async () => succeed({ ...transcript, warnings: [warning] })
  const fields = { file: file(), clipboard: 'https://example.com' }
  expect(await (await post(fields)).json()).toMatchObject({ warnings: [warning] })
  expect(state.requests[0]!.clipboard?.()).toBe('https://example.com')
  expect(await (await post({ file: file(), stream: 'true' })).text()).toContain('language_ignored')
})

test('reports a prompt that the engine does not support', async () => {
  const body = (await (await post({ file: file(), prompt: 'Ada' })).json()) as {
    warnings: { code: string }[]
  }
  expect(body.warnings.map(({ code }) => code)).toEqual(['prompt_ignored'])
})

describe('a recording that is the whole body', () => {
  const postRaw = (query: string, body: BodyInit = recording, type = 'audio/flac') =>
    call(`/transcribe?${query}`, { method: 'POST', headers: { 'content-type': type }, body })

  test('has its fields in the query', async () => {
    const response = await postRaw(
      'model=base&language=German&task=translate&response_format=text&prompt=Ada',
    )
    expect([response.status, await response.text()]).toEqual([200, 'Hello.\n'])
    expect(state.requests).toMatchObject([
      { model: 'base', language: 'de', task: 'translate', prompt: 'Ada', kind: { format: 'flac' } },
    ])
    expect(await left()).toEqual([])
  })

  test('may have any media type of a recorder, and may be streamed', async () => {
    for (const type of ['audio/x-wav', 'video/webm', 'application/ogg', 'application/octet-stream'])
      expect((await postRaw('', recording, type)).status, type).toBe(200)
    expect(await (await postRaw('stream=true')).text()).toContain('event: done')
    expect(await left()).toEqual([])
  })

  test('refuses everything invalid in its query at once, before reading it', async () => {
    const unread = (await postRaw('model=nope&stream=true&response_format=srt')) as Response
    expect(unread.status).toBe(422)
    const { errors } = (await unread.json()) as { errors: object[] }
    expect(errors).toMatchObject([
      { in: 'query', path: '/response_format' },
      { in: 'query', path: '/model' },
    ])
    const both = (await (await postRaw('model=nope&temperature=1')).json()) as { errors: object[] }
    expect(both.errors).toMatchObject([
      { in: 'query', path: '/temperature' },
      { in: 'query', path: '/model' },
    ])
    expect(state.requests).toEqual([])
  })

  test('refuses other data, an empty body and too large a body', async () => {
    const codes = []
    for (const body of [
      'a text that says nothing',
      '',
      Buffer.concat([recording, new Uint8Array(3_000_000)]),
    ])
      codes.push(await codeOf(await postRaw('', body)))
    expect(codes).toEqual(['unsupported_audio', 'empty_file', 'file_too_large'])
    expect(await codeOf(await postRaw('', recording, 'text/plain'))).toBe('unsupported_media_type')
    expect(await left()).toEqual([])
  })

  test('does not prevent a query with a form, whose fields take precedence', async () => {
    const form = new FormData()
    form.set('language', 'auto')
    form.set('file', file())
    const response = await call('/transcribe?model=base&language=de&response_format=text', {
      ...{ method: 'POST', body: form },
    })
    expect(await response.text()).toBe('Hello.\n')
    expect(state.requests).toMatchObject([{ model: 'base', language: null }])
  })
})

test('a part with an audio type is a file even without a file name', async () => {
  for (const type of ['audio/flac', 'application/octet-stream', 'video/mp4'])
    expect((await postPart(`content-type: ${type}\r\n`, recording)).status).toBe(200)
  expect((await postPart('content-type: text/plain\r\n', recording)).status).toBe(422)
})

describe('refuses before anything is decoded', () => {
  const cases: [what: string, fields: Fields, status: number, code: string][] = [
    ['an unknown model before the file', { model: 'nope', file: file() }, 422, 'unknown_model'],
    ['an unknown model after the file', { file: file(), model: 'nope' }, 422, 'unknown_model'],
    ['a model that is not installed', { file: file(), model: 'small' }, 503, 'model_not_installed'],
    ['a language the model lacks', { file: file(), language: 'de' }, 422, 'unsupported_language'],
    [
      'a language the model lacks, either way round',
      { language: 'de', file: file() },
      422,
      'unsupported_language',
    ],
    [
      'Cantonese, which most models lack',
      { file: file(), language: 'yue', model: 'base' },
      422,
      'unsupported_language',
    ],
    ['a translation the model lacks', { file: file(), task: 'translate' }, 422, 'unsupported_task'],
    ['an unknown language', { file: file(), language: 'xx' }, 422, 'invalid_request'],
    ['a form without a file', { model: 'tiny.en' }, 422, 'invalid_request'],
    ['a file that is a field', { file: '@audio.wav' }, 422, 'invalid_request'],
    ['a field that is a file', { file: file(), model: file() }, 422, 'invalid_request'],
    ['a file under another name', { recording: file() }, 422, 'invalid_request'],
    [
      'a stream of subtitles',
      { file: file(), stream: 'true', response_format: 'srt' },
      422,
      'invalid_request',
    ],
    ['an empty file', { file: file('') }, 400, 'empty_file'],
    ['a file that is not audio', { file: file('just text') }, 415, 'unsupported_audio'],
    ['a long file that is not audio', { file: file('just text '.repeat(200_000)) }, 415, 'unsupported_audio'],
    [
      'a file that is too large',
      { file: file(new Uint8Array(3_000_001).fill(65)) },
      415,
      'unsupported_audio',
    ],
  ]
  for (const [what, fields, status, code] of cases) {
    test(what, async () => {
      const response = await post(fields)
      expect(await codeOf(response)).toBe(code)
      expect(response.status).toBe(status)
      expect(state.requests).toEqual([])
      expect(await left()).toEqual([])
    })
  }

  test('a recording over the limit, by counting', async () => {
    const large = new Uint8Array(3_000_001)
    large.set(recording)
    const response = await post({ file: file(large) })
    expect(response.status).toBe(413)
    expect(await codeOf(response)).toBe('file_too_large')
    expect(await left()).toEqual([])
  })

  test('a declared size over the limit, before reading', async () => {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error('nothing may be read')) })
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': '99999999' }
    const response = await call('/transcribe', { method: 'POST', body, headers })
    expect(response.status).toBe(413)
  })

  test('all invalid fields at once, in form and query', async () => {
    const response = await post({
      language: 'xx',
      stream: 'perhaps',
      file: file(),
      model: 'x'.repeat(101),
      foo: '1',
    })
    const { errors } = (await response.json()) as { errors: { path: string }[] }
    expect(errors.map(({ path }) => path).toSorted()).toEqual(['/foo', '/language', '/model', '/stream'])
  })

  test('unknown models along with invalid fields, in form and query', async () => {
    const fields = { stream: 'perhaps', file: file(), model: 'gigantic', response_format: 'text' }
    const both = await (await post(fields)).json()
    expect(both.errors.map(({ path }: { path: string }) => path)).toEqual(['/stream', '/model'])
    const language = await (await post({ file: file(), language: 'de', prompt: 'x'.repeat(100_001) })).json()
    expect(language.errors.map(({ path }: { path: string }) => path)).toEqual(['/prompt', '/language'])
    // A model that the schema rejects must not select the default one.
    const shape = await (await post({ file: file(), language: 'de', model: 'x'.repeat(500) })).json()
    expect(shape.errors.map(({ path }: { path: string }) => path)).toEqual(['/model'])
    const alone = await (await post({ file: file(), model: 'gigantic' })).json()
    expect([alone.code, alone.errors[0].path]).toEqual(['unknown_model', '/model'])
    expect(await left()).toEqual([])
  })

  test('a second file and a repeated field', async () => {
    const form = new FormData()
    for (const name of ['file', 'file']) form.append(name, file())
    for (const model of ['base', 'tiny.en']) form.append('model', model)
    const response = await call('/transcribe', { method: 'POST', body: form })
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path, message }) => `${path} ${message}`).toSorted()).toEqual([
      '/file must be given only once',
      '/model must be given only once',
    ])
    expect(await left()).toEqual([])
  })

  test('a recording under an unknown name, and names the right one', async () => {
    const response = await post({ recording: file(), hotwords: 'Dashwood' })
    const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
    expect(errors.map(({ path, message }) => `${path} ${message}`).toSorted()).toEqual([
      '/file is required',
      '/hotwords is not known here; did you mean "keywords"?',
      '/recording is not known here; did you mean "file"?',
    ])
    expect(await left()).toEqual([])
  })

  test('a recording in a field, and says how to send it', async () => {
    const response = await postPart('', recording)
    expect(response.status).toBe(422)
    expect(((await response.json()) as { detail: string }).detail).toBe(
      'file must be sent as a file, with a file name; with curl: -F file=@/path/to/it.',
    )
  })

  test('a form as curl sends it with -d, and says how to send a file', async () => {
    const response = await call('/transcribe', {
      method: 'POST',
      body: new URLSearchParams({ file: '/a.wav' }),
    })
    expect(response.status).toBe(415)
    expect(((await response.json()) as { detail: string }).detail).toEndWith(
      '; with curl: -F file=@/path/to/it.',
    )
  })

  for (const type of ['application/json', 'audio/wav', 'application/x-www-form-urlencoded']) {
    test(`a body of type ${type}`, async () => {
      const headers = { 'content-type': type }
      expect((await call('/transcribe', { method: 'POST', body: '{}', headers })).status).toBe(415)
    })
  }
})

const failures: [code: string, status: number, reported: string][] = [
  ['undecodable_audio', 422, 'undecodable_audio'],
  ['decoder_missing', 422, 'undecodable_audio'],
  ['decoder_crashed', 422, 'undecodable_audio'],
  ['audio_too_long', 413, 'audio_too_long'],
  ['model_unreadable', 503, 'model_unreadable'],
  ['engine_crashed', 503, 'engine_unavailable'],
  ['engine_timeout', 503, 'engine_unavailable'],
  ['disk_full', 507, 'disk_full'],
]
for (const [code, status, reported] of failures) {
  test(`returns a failed transcription (${code}) as ${reported}, streamed or not`, async () => {
    transcribe = async () => fail({ code, message: 'Because.' }) as never
    for (const stream of ['false', 'true']) {
      const response = await post({ file: file(), stream })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ code: reported, detail: 'Because.' })
    }
    expect(await left()).toEqual([])
  })
}

test('reports that the server is stopping and when to retry, without internal details', async () => {
  for (const code of ['aborted', 'engine_closed']) {
    transcribe = async () => fail({ code, message: 'Because.' }) as never
    const response = await post({ file: file() })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    const detail = 'The server is stopping; send this again when it runs.'
    expect(await response.json()).toMatchObject({ code: 'shutting_down', detail })
  }
})

test('returns an unknown failure as an internal error, and ends a stream', async () => {
  const unknown = async () => fail({ code: 'sunspots', message: 'secret' }) as never
  transcribe = unknown
  for (const stream of ['false', 'true']) {
    const response = await post({ file: file(), stream })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
  }
  transcribe = async ({ onDecoded }) => {
    onDecoded?.({ durationMs: 1, decodeMs: 1 })
    return unknown()
  }
  const text = await (await post({ file: file(), stream: 'true' })).text()
  expect(text).toContain('event: error\ndata: {"type":"/problems/internal_error"')
  await until(async () => (await left()).length === 0)
})

test('leaves nothing behind after an exception', async () => {
  transcribe = async () => {
    throw new Error('secret')
  }
  for (const stream of ['false', 'true']) {
    const response = await post({ file: file(), stream })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret')
  }
  await until(async () => (await left()).length === 0)
})

describe('a stream', () => {
  test('sends progress and segments as they arrive, and the whole result last', async () => {
    transcribe = async ({ onDecoded, onProgress, onSegment }) => {
      onDecoded?.({ durationMs: 1234, decodeMs: 1 })
      onSegment?.(segment)
      onProgress?.(0.5)
      return succeed(transcript)
    }
    const text = await (await post({ file: file(), stream: 'true' })).text()
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [
      name,
      JSON.parse(data!),
    ])
    expect(events.map(([name]) => name)).toEqual(['segment', 'progress', 'done'])
    expect(events[0]![1]).toMatchObject({ id: 0, text: 'Hello.' })
    expect(events[1]![1]).toEqual({ progress: 0.5 })
    expect(events[2]![1]).toMatchObject({ text: 'Hello.', duration: 1.234 })
    await until(async () => (await left()).length === 0)
  })

  test('ends with a problem if the transcription fails after it began', async () => {
    transcribe = async ({ onDecoded }) => {
      onDecoded?.({ durationMs: 1, decodeMs: 1 })
      return fail({ code: 'engine_crashed', message: 'It broke.' })
    }
    const text = await (await post({ file: file(), stream: 'true' })).text()
    const [, data] = /event: error\ndata: (.*)\n\n$/.exec(text)!
    expect(JSON.parse(data!)).toMatchObject({ code: 'engine_unavailable', status: 503, detail: 'It broke.' })
  })

  test('stops the work when its client leaves', async () => {
    transcribe = untilAborted
    const response = await post({ file: file(), stream: 'true' })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    await until(() => state.requests[0]!.signal.aborted)
    await until(async () => (await left()).length === 0)
  })
})

test('stops the work when a waiting client leaves', async () => {
  transcribe = untilAborted
  const client = new AbortController()
  const answer = post({ file: file() }, { signal: client.signal })
  await until(() => state.requests.length === 1)
  client.abort()
  await answer
  expect(state.requests[0]!.signal.aborted).toBe(true)
  expect(await left()).toEqual([])
})

test('refuses more simultaneous recordings than may wait, and accepts them again afterwards', async () => {
  const clients = [new AbortController(), new AbortController()]
  transcribe = untilAborted
  const waiting = clients.map(({ signal }) => post({ file: file() }, { signal }))
  await until(() => state.requests.length === 2)
  const refused = await post({ file: file() })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('10')
  for (const client of clients) client.abort()
  await Promise.all(waiting)
  transcribe = async () => succeed(transcript)
  expect((await post({ file: file() })).status).toBe(200)
})

/** A transcription that decodes at once and then never ends. */
async function untilAborted({ signal, onDecoded }: DictationRequest) {
  onDecoded?.({ durationMs: 1, decodeMs: 1 })
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return fail({ code: 'aborted' as const, message: 'Cancelled.' })
}
