// Likely guesses of people and programs that have not read the documentation, and the hints that they get.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
}, 120_000)
afterAll(() => server.stop())

const ID = '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11'

async function refusal(guess: string, body?: object): Promise<[status: number, detail: string]> {
  const [method, path] = guess.split(' ') as [string, string]
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(server.url + path, {
    method,
    ...(body && { headers, body: JSON.stringify(body) }),
  })
  return [response.status, ((await response.json()) as { detail: string }).detail]
}

test.each([
  ['GET /status', 404, '/health'],
  ['GET /version', 404, '/'],
  ['GET /models', 404, '/models/status'],
  ['POST /search', 404, '/captures?q=words'],
  ['GET /queue', 404, '/jobs'],
  ['GET /swagger', 404, '/docs'],
  [`GET /captures/${ID}/transcript`, 404, `/captures/${ID}/export`],
  [`GET /captures/${ID}/srt`, 404, `/captures/${ID}/export?format=srt`],
  ['GET /captures/latest', 422, '/captures?limit=1'],
  [`GET /captures/${ID}.srt`, 422, `/captures/${ID}/export?format=srt`],
  [`GET /captures/${ID}.wav`, 422, `/captures/${ID}/audio`],
  ['GET /captures?per_page=5', 422, 'limit'],
  ['GET /captures?order=desc', 422, 'sort'],
])('%s returns %d with the hint %s', async (guess, status, meant) => {
  expect(await refusal(guess)).toEqual([status, expect.stringContaining(`did you mean "${meant}"?`)])
})

test.each([
  [`PATCH /captures/${ID}`, { name: 'Office' }, ['title']],
  ['POST /dictionary', { from: 'teh', to: 'the' }, ['word', 'replacement']],
  ['PATCH /settings/captures', { languge: 'de' }, ['language']],
  ['PUT /settings/captures', { auto_refin: true }, ['auto_refine']],
])('%s with %o returns 422 with the hint %o', async (guess, body, meant) => {
  const [status, detail] = await refusal(guess, body)
  expect(status).toBe(422)
  for (const name of meant) expect(detail).toContain(`did you mean "${name}"?`)
})

test('serves what the hints name', async () => {
  for (const path of ['/health', '/', '/models/status', '/captures?limit=1', '/captures?q=words', '/jobs'])
    expect((await fetch(server.url + path)).status, path).toBe(200)
  for (const path of [`/captures/${ID}/export?format=srt`, `/captures/${ID}/audio`])
    expect(await refusal(`GET ${path}`), path).toEqual([404, expect.stringContaining(ID)])
})
