// OpenAI's addresses asked in plain HTTP: what no client of OpenAI's sends or tells.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunningServer, startServer } from '../support/server.ts'

const recording = join(import.meta.dir, '../speech/short-01.flac')
const SAID = /local dictation service/i

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

test('ignores what is not known, in the form and in the query, and times that go without saying', async () => {
  const form = new FormData()
  form.set('user', 'somebody')
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
  expect(((await response.json()) as { text: string }).text).toMatch(SAID)
  const told = server.log().find(({ ignored }) => Array.isArray(ignored))
  expect(told?.ignored).toEqual(['user', 'vad_filter', 'chunking_strategy[type]', 'api-version'])
})

test('begins a stream with a comment, which is no event to any reader', async () => {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('stream', 'true')
  form.set('file', new File([await readFile(recording)], 'short-01.flac'))
  const response = await fetch(`${server.url}/v1/audio/transcriptions`, { method: 'POST', body: form })
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '')
  expect(blocks[0]).toStartWith(':')
  for (const block of blocks.slice(1)) expect(block).toMatch(/^(data: |:)/)
})

test('refuses a page that may not call as OpenAI would, though it is the guard that does', async () => {
  const response = await fetch(`${server.url}/v1/models`, { headers: { origin: 'https://evil.test' } })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ error: { code: 'origin_not_allowed', param: null } })
})
