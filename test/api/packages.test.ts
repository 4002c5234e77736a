// Each package that the project names does its part in a real request to the whole server, observed from outside or on disk.

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import { startPostgres } from '../support/postgres.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { formOf, recordingFile } from '../support/speech.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { DICTATION_ENGINE: 'shout' } })
}, 240_000)
afterAll(() => server.stop())

const get = async (path: string): Promise<Json> =>
  (await fetch(`${server.url}${path}`)).json() as Promise<Json>

test('elysia routes, TypeBox checks, drizzle finds: a list of captures', async () => {
  expect(await get('/captures')).toEqual({ items: [], total: 0 })
  const refused = await get('/captures?limit=0')
  expect(refused.errors).toEqual([
    { in: 'query', path: '/limit', message: expect.stringContaining('at least 1') },
  ])
})

test('@elysiajs/swagger describes and @elysiajs/static serves: the documentation', async () => {
  expect(Object.keys((await get('/docs/json')).paths)).toContain('/captures/{id}/retranscribe')
  const page = await (await fetch(`${server.url}/docs`)).text()
  const script = /src="([^"]+bundle[^"]*\.js)"/.exec(page)![1]!
  const asset = await fetch(new URL(script, `${server.url}/docs`))
  expect([asset.status, asset.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('javascript'),
  ])
})

test('pg-boss delivers and whisper.cpp (@transcribe/shout) transcribes: a capture gets its text', async () => {
  const body = await formOf('human-3.flac')
  const capture = (await (await fetch(`${server.url}/captures`, { method: 'POST', body })).json()) as Json
  expect(capture).toMatchObject({ status: 'completed', detected_language: 'en' })
  expect(capture.transcript_engine).toContain('He was not')
  expect((await get(`/jobs?capture_id=${capture.id}`)).items[0]).toMatchObject({
    state: 'completed',
    attempts: 1,
  })
  expect((await get('/health')).engine).toMatchObject({ name: 'whisper.cpp', version: '1.0.4' })
}, 400_000)

test('whisper.cpp provides no token log probabilities: OpenAI clients get none, and the log says so', async () => {
  const client = new OpenAI({ apiKey: 'not needed', baseURL: `${server.url}/v1`, maxRetries: 0 })
  const file = await toFile(await recordingFile('short-01.flac').bytes(), 'short-01.flac')
  const transcription = await client.audio.transcriptions.create({
    file,
    model: 'whisper-1',
    include: ['logprobs'],
  })
  expect(transcription.text).toMatch(/local dictation service/i)
  expect(transcription).not.toHaveProperty('logprobs')
  expect(server.log().map(({ msg }) => msg)).toContain(
    'log probabilities of tokens were requested, but this engine does not provide them',
  )
}, 400_000)

test('the embedded database keeps the index, and SQLite the lock', async () => {
  const { database } = await get('/health')
  expect(database).toBe(process.env.TEST_DATABASE_URL === undefined ? 'embedded' : 'external')
  expect(readdirSync(server.dataFolder).some((name) => name.startsWith('postgres-'))).toBe(
    database === 'embedded',
  )
  using lock = new Database(`${server.dataFolder}/instance.lock`)
  expect(() => lock.run('BEGIN EXCLUSIVE')).toThrow()
})

test('postgres (postgres.js) uses an external database: a capture is indexed there', async () => {
  const postgres = await startPostgres()
  if (postgres === null) return console.warn('skipped: no Postgres is installed on this machine')
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-test-'))
  const external = await startServer({ dataFolder, env: { DATABASE_URL: postgres.url } })
  const body = await formOf('nothing-silence.flac')
  expect((await fetch(`${external.url}/captures`, { method: 'POST', body })).status).toBe(201)
  const health = (await (await fetch(`${external.url}/health`)).json()) as Json
  expect(health.database).toBe('external')
  expect(await external.stop()).toBe(0)
  await postgres.stop()
  await rm(dataFolder, { recursive: true })
}, 400_000)
