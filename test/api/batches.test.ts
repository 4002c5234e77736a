// Batches on the real server, killed with kill -9 while one runs, observed only through the API.

import { expect, test } from 'bun:test'
import { createTestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

async function call({ url }: RunningServer, method: string, path: string, body?: object): Promise<Json> {
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${url}${path}`, { method, ...sent })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function upload({ url }: RunningServer, recording: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File([await recordingFile(recording).arrayBuffer()], recording))
  const response = await fetch(`${url}/captures?wait=true`, { method: 'POST', body: form })
  return ((await response.json()) as Json).id
}

const batchUntil = (server: RunningServer, id: string, isReached: (batch: Json) => boolean) =>
  until(
    async () => {
      const batch = await call(server, 'GET', `/jobs/batches/${id}`)
      return isReached(batch) ? batch : null
    },
    { timeoutMs: 120_000, what: 'the batch to get on' },
  )

test('resumes a batch after kill -9 and processes each capture once; a cancelled batch stays cancelled', async () => {
  await using folder = await createTestFolder()
  const { dataFolder, databaseUrl } = folder
  const options = { dataFolder, ...(databaseUrl !== null && { env: { DATABASE_URL: databaseUrl } }) }
  const first = await startServer(options)
  const ids: string[] = []
  for (let made = 0; made < 6; made++) ids.push(await upload(first, 'short-17.flac'))
  const untouched = await upload(first, 'nothing-silence.flac')

  const request = { ids, model: 'tiny.en-q5_1', key: 'nightly' }
  const { batch_id: id } = await call(first, 'POST', '/captures/retranscribe', request)
  const other = { ids: [untouched], model: 'tiny.en-q5_1' }
  const { batch_id: canceled } = await call(first, 'POST', '/captures/retranscribe', other)
  await call(first, 'DELETE', `/jobs/batches/${canceled}`)
  await batchUntil(first, id, ({ completed }) => completed >= 2)
  await first.kill()

  await using second = await startServer(options)
  const again = await call(second, 'POST', '/captures/retranscribe', request)
  const ended = await batchUntil(second, id, ({ state }) => state !== 'running')
  expect(again.batch_id).toBe(id)
  expect(ended).toMatchObject({ state: 'completed', total: 6, completed: 6 })
  expect(await call(second, 'GET', `/jobs/batches/${canceled}`)).toMatchObject({
    state: 'canceled',
    canceled: 1,
  })
  const versions = []
  for (const one of [...ids, untouched])
    versions.push((await call(second, 'GET', `/captures/${one}/versions`)).items.length)
  expect(versions).toEqual([1, 1, 1, 1, 1, 1, 0])
}, 300_000)
