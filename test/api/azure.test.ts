// OpenAI's official client for Azure against this server; deployments are model names.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AzureOpenAI, toFile } from 'openai'
import { type RunningServer, startServer } from '../support/server.ts'
import { failure } from './openai-failure.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const SAID = /local dictation service/i
const TOKEN = 'a-token-of-more-than-sixteen-letters'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { DICTATION_TOKEN: TOKEN } })
})
afterAll(() => server.stop())

const azure = (options: { apiKey?: string; deployment?: string } = {}) =>
  new AzureOpenAI({
    endpoint: server.url,
    apiVersion: '2024-10-21',
    apiKey: TOKEN,
    maxRetries: 0,
    ...options,
  })

const create = async (client: AzureOpenAI, more: object) =>
  client.audio.transcriptions.create({
    file: await toFile(await readFile(recording), 'short-01.flac'),
    model: 'whisper-1',
    ...more,
  })

test('uses the preferred model for an unknown deployment name', async () => {
  expect((await create(azure(), { model: 'our team’s whisper' })).text).toMatch(SAID)
  expect((await create(azure({ deployment: 'prod-7' }), {})).text).toMatch(SAID)
})

test('uses the model that the deployment names, unless the form names another', async () => {
  const english = { response_format: 'verbose_json' }
  expect((await create(azure({ deployment: 'tiny.en' }), english)).text).toMatch(SAID)
  const large = azure({ deployment: 'whisper-large-v3' })
  expect(await failure(create(large, {}))).toMatchObject({ status: 503, code: 'model_not_installed' })
  expect((await create(large, { model: 'tiny.en' })).text).toMatch(SAID)
})

test('supports every format and the stream', async () => {
  expect(await create(azure(), { response_format: 'text' })).toMatch(SAID)
  expect(await create(azure(), { response_format: 'srt' })).toMatch(/^1\n00:00:00,\d{3} --> /)
  const stream = await azure().audio.transcriptions.create({
    file: await toFile(await readFile(recording), 'short-01.flac'),
    model: 'gpt-4o-transcribe',
    stream: true,
  })
  const events = await Array.fromAsync(stream)
  expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: expect.stringMatching(SAID) })
})

test('accepts the token in Azure’s own header', async () => {
  const error = await failure(create(azure({ apiKey: 'a wrong one' }), {}))
  expect(error).toMatchObject({ status: 401, code: 'unauthorized', type: 'authentication_error' })
})

test('returns errors in OpenAI’s format', async () => {
  expect(await failure(create(azure(), { response_format: 'docx' }))).toMatchObject({
    ...{ status: 422, code: 'invalid_request', param: 'response_format' },
  })
  const translation = azure().audio.translations.create({
    file: await toFile(await readFile(recording), 'short-01.flac'),
    model: 'tiny.en',
  })
  expect(await failure(translation)).toMatchObject({ status: 422, code: 'unsupported_task' })
  expect(await failure(azure().models.list())).toMatchObject({ status: 404, code: 'no_such_route' })
})
