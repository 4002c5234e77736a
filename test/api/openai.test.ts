// OpenAI's official client against this server, with only the base URL changed.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import { type RunningServer, startServer } from '../support/server.ts'
import { failure } from './openai-failure.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const file = async () => toFile(await readFile(recording), 'short-01.flac')
const SAID = /local dictation service/i

let server: RunningServer
let client: OpenAI

beforeAll(async () => {
  server = await startServer()
  client = new OpenAI({ apiKey: 'not needed', baseURL: `${server.url}/v1`, maxRetries: 0 })
})
afterAll(() => server.stop())

const create = async (more: object) =>
  client.audio.transcriptions.create({ file: await file(), model: 'whisper-1', ...more })

describe('transcriptions', () => {
  test('return JSON with the text by default', async () => {
    const transcription = await create({})
    expect(transcription.text).toMatch(SAID)
    expect(transcription.usage).toMatchObject({ type: 'duration' })
  })

  test('return plain text, subtitles and WebVTT', async () => {
    expect(await create({ response_format: 'text' })).toMatch(SAID)
    expect(await create({ response_format: 'srt' })).toMatch(/^1\n00:00:00,\d{3} --> /)
    expect(await create({ response_format: 'vtt' })).toMatch(/^WEBVTT\n/)
  })

  test('return segments with verbose_json, and words on request', async () => {
    const verbose = await client.audio.transcriptions.create({
      file: await file(),
      model: 'gpt-4o-transcribe',
      language: 'en',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    })
    expect(verbose.language).toBe('english')
    expect(verbose.duration).toBeGreaterThan(1)
    expect(verbose.segments?.[0]).toMatchObject({ id: 0, tokens: [], seek: 0, temperature: 0 })
    expect(verbose.segments?.[0]?.text).toMatch(/^ \S/)
    expect(verbose.words?.map(({ word }) => word).join(' ')).toMatch(SAID)
    const plain = await client.audio.transcriptions.create({
      file: await file(),
      model: 'tiny.en',
      response_format: 'verbose_json',
    })
    expect([plain.words, plain.segments?.length]).toEqual([undefined, 1])
  })

  test('ignore unknown fields, in the form and in the query, and values that are the default', async () => {
    const form = new FormData()
    form.set('user', 'a-user')
    form.append('vad_filter', 'true')
    form.append('vad_filter', 'again')
    form.set('extra', new File(['x'], 'extra.json', { type: 'application/json' }))
    form.set('chunking_strategy[type]', 'server_vad')
    form.append('timestamp_granularities[]', 'segment')
    form.set('model', 'whisper-2')
    form.set('file', new File([await readFile(recording)], 'short-01.flac'))
    const response = await fetch(`${server.url}/v1/audio/transcriptions?api-version=2024-10-21`, {
      method: 'POST',
      body: form,
    })
    expect(response.status).toBe(200)
    const message = 'These fields have no effect here and were ignored: user, vad_filter.'
    expect(await response.json()).toMatchObject({
      text: expect.stringMatching(SAID),
      warnings: [{ code: 'fields_ignored', message }],
    })
    const logLine = server.log().find(({ ignored }) => Array.isArray(ignored))
    expect(logLine?.ignored).toEqual(['user', 'vad_filter', 'chunking_strategy[type]', 'api-version'])
  })

  test.each([
    { given: [['timestamp_granularities[]', 'word']] },
    { given: [['timestamp_granularities', 'word']] },
    { given: [['timestamp_granularities[0]', 'word']] },
    {
      given: [
        ['timestamp_granularities[0]', 'segment'],
        ['timestamp_granularities[1]', 'word'],
      ],
    },
    {
      given: [
        ['timestamp_granularities', 'segment'],
        ['timestamp_granularities', 'word'],
      ],
    },
    { given: [['timestamp_granularities', 'segment, word']] },
    { given: [['timestamp_granularities', '["segment", "word"]']] },
  ])('accept a list as %j', async ({ given }) => {
    const form = new FormData()
    for (const [name, value] of given) form.append(name!, value!)
    form.set('response_format', 'verbose_json')
    for (const [name, value] of [
      ['keywords[0]', 'dictation'],
      ['languages', 'en,de'],
      ['include[0]', 'logprobs'],
    ] as const)
      form.append(name, value)
    form.set('file', new File([await readFile(recording)], 'short-01.flac'))
    const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
    expect(response.status).toBe(200)
    // biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
    const answer = (await response.json()) as any
    expect(answer.words.length).toBeGreaterThan(5)
    expect(answer.segments !== undefined).toBe(given.some(([, value]) => value!.includes('segment')))
    const message = 'These fields have no effect here and were ignored: include[].'
    expect(answer.warnings).toEqual([{ code: 'fields_ignored', message }])
  })

  test('refuse an invalid list item in every notation', async () => {
    for (const [name, value] of [
      ['timestamp_granularities[0]', 'words'],
      ['timestamp_granularities', 'segment,words'],
    ] as const) {
      const form = new FormData()
      form.set(name, value)
      form.set('file', new File([await readFile(recording)], 'short-01.flac'))
      const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
      expect(response.status).toBe(422)
      expect(await response.text()).toContain('did you mean \\"word\\"?')
    }
  })

  test('accept languages for detection in every notation', async () => {
    expect((await create({ languages: ['English', 'de-AT'] })).text).toMatch(SAID)
    const error = await create({ languages: ['en', 'Germam'] }).catch((thrown) => thrown)
    expect(error).toMatchObject({ status: 422, param: 'languages[]/1' })
    expect(error.message).toContain('did you mean "de"?')
  })

  test('return the log probabilities of the recognised tokens on request', async () => {
    const options = { include: ['logprobs'] as 'logprobs'[], model: 'whisper-1' }
    const { text, logprobs = [] } = await client.audio.transcriptions.create({
      file: await file(),
      ...options,
    })
    expect(text).toMatch(SAID)
    expect(logprobs.map(({ token }) => token).join('')).toBe(` ${text}`)
    for (const { token, bytes, logprob } of logprobs) {
      expect(Buffer.from(bytes ?? []).toString()).toBe(token!)
      expect(logprob).toBeLessThanOrEqual(0)
    }
    const stream = await client.audio.transcriptions.create({ file: await file(), ...options, stream: true })
    const events = await Array.fromAsync(stream)
    const deltas = events.flatMap((event) =>
      event.type === 'transcript.text.delta' ? (event.logprobs ?? []) : [],
    )
    expect(deltas as object[]).toEqual(logprobs)
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', logprobs })
    expect(await create({})).not.toHaveProperty('logprobs')
    expect(await create({ include: ['logprobs'], response_format: 'verbose_json' })).not.toHaveProperty(
      'logprobs',
    )
  })

  test('return the recognised tokens even if the dictionary changed the text', async () => {
    const entry = { type: 'replacement', word: 'local dictation service', replacement: 'LDS' }
    const headers = { 'content-type': 'application/json' }
    const added = await fetch(`${server.url}/dictionary`, {
      ...{ method: 'POST', headers, body: JSON.stringify(entry) },
    })
    const { id } = (await added.json()) as { id: string }
    const transcription = await client.audio.transcriptions.create({
      ...{ file: await file(), model: 'whisper-1', include: ['logprobs'] },
    })
    await fetch(`${server.url}/dictionary/${id}`, { method: 'DELETE' })
    expect(transcription.text).toContain('LDS')
    expect(transcription.logprobs?.map(({ token }) => token).join('')).toMatch(SAID)
  })

  test('report what could not be done and the fields without effect, in every format', async () => {
    const codes = ['fields_ignored', 'spelling_ignored']
    const options = { model: 'tiny.en', language: 'en-GB', user: 'a-user' }
    for (const more of [{}, { response_format: 'verbose_json' }]) {
      const { warnings } = (await create({ ...options, ...more })) as { warnings?: { code: string }[] }
      expect(warnings?.map(({ code }) => code)).toEqual(codes)
    }
    const subtitles = await client.audio.transcriptions
      .create({ ...options, file: await file(), response_format: 'srt' })
      .asResponse()
    expect(subtitles.headers.get('warning')).toEndWith(
      `, 299 - "The spelling of 'en-GB' cannot be chosen; the text uses the model's English spelling."`,
    )
    const stream = await client.audio.transcriptions.create({ ...options, file: await file(), stream: true })
    const last = (await Array.fromAsync(stream)).at(-1) as { warnings?: { code: string }[] }
    expect(last.warnings?.map(({ code }) => code)).toEqual(codes)
  })

  test('begin a stream with a comment, which readers do not treat as an event', async () => {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('stream', 'true')
    form.set('file', new File([await readFile(recording)], 'short-01.flac'))
    const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
    const blocks = (await response.text()).split('\n\n').filter((block) => block !== '')
    expect(blocks[0]).toStartWith(':')
    for (const block of blocks.slice(1)) expect(block).toMatch(/^(data: |:)/)
  })

  test('stream pieces that add up to the whole text', async () => {
    const stream = await client.audio.transcriptions.create({
      file: await file(),
      model: 'whisper-1',
      stream: true,
    })
    let pieces = ''
    let whole: string | null = null
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') pieces += event.delta
      if (event.type === 'transcript.text.done') whole = event.text
    }
    expect(pieces).toMatch(SAID)
    expect(whole).toBe(pieces)
  })
})

describe('errors in OpenAI’s format', () => {
  test('report an unknown model', async () => {
    const error = await failure(create({ model: 'enormous' }))
    expect(error).toMatchObject({ status: 422, code: 'unknown_model', type: 'invalid_request_error' })
    expect(error.message).toContain('enormous')
  })

  test('report a model that is not installed as an error that a retry cannot fix', async () => {
    const error = await failure(create({ model: 'whisper-large-v3' }))
    expect(error).toMatchObject({ status: 503, code: 'model_not_installed' })
    expect(error.headers?.get('x-should-retry')).toBe('false')
  })

  test('report invalid audio without internal details', async () => {
    const text = await toFile(Buffer.from('this is not audio at all, it is a text'), 'a.wav')
    const error = await failure(client.audio.transcriptions.create({ file: text, model: 'whisper-1' }))
    expect(error).toMatchObject({ status: 415, code: 'unsupported_audio' })
  })

  test('name the invalid field', async () => {
    const error = await failure(create({ response_format: 'docx' }))
    expect(error).toMatchObject({ status: 422, param: 'response_format' })
  })

  test('report words requested without a format that supports them', async () => {
    const error = await failure(create({ timestamp_granularities: ['word'] }))
    expect(error).toMatchObject({ status: 422, param: 'timestamp_granularities[]' })
  })

  test('report a translation that the model does not support', async () => {
    const error = await failure(client.audio.translations.create({ file: await file(), model: 'whisper-1' }))
    expect(error).toMatchObject({ status: 422, code: 'unsupported_task', param: 'model' })
  })

  test('report an unknown path', async () => {
    expect(await failure(client.models.retrieve('enormous'))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
    const { message } = await failure(client.models.retrieve('small'))
    expect(message).toContain('dictation models pull small-q5_1')
    expect(await failure(client.files.list())).toMatchObject({ status: 404, code: 'no_such_route' })
  })

  test('report a page that may not call, including refusals by the guard', async () => {
    const response = await fetch(`${server.url}/v1/models`, { headers: { origin: 'https://evil.test' } })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ error: { code: 'origin_not_allowed', param: null } })
  })
})

test('lists the installed models', async () => {
  const models = await Array.fromAsync(await client.models.list())
  expect(models.map(({ id }) => id)).toEqual(['whisper-1', 'tiny.en-q5_1', 'base-q5_1'])
  for (const id of ['tiny.en-q5_1', 'tiny.en', 'base', 'whisper-1', 'gpt-4o-mini-transcribe'])
    expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'local' })
})
