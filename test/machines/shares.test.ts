// Two real servers on one real Postgres share limits, the webhook's key, batches, and recordings that kill servers. A
// transcription server that answers when the test lets it takes the place of the engine.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { RunningServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { createOneDatabase, isPostgresInstalled, type OneDatabase } from '../support/two-servers.ts'
import { until } from '../support/until.ts'
import { startWaitingEngine } from './waiting-engine.ts'

setDefaultTimeout(600_000)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

const withPostgres = test.skipIf(!(await isPostgresInstalled()))

const MAX_QUEUE = 6
const PATIENCE = { timeoutMs: 240_000 }

let database: OneDatabase
let one: RunningServer
let other: RunningServer
/** While it is set, no transcription ends. */
let gate: PromiseWithResolvers<void> | null = null
const engine = startWaitingEngine(async () => gate?.promise)

beforeAll(async () => {
  if (!(await isPostgresInstalled())) return
  database = await createOneDatabase()
  const env = { DICTATION_MAX_QUEUE: String(MAX_QUEUE) }
  one = await database.server({ env })
  other = await database.server({ env })
  await send(one, 'PATCH', '/settings/captures', { engine_url: engine.url })
  await until(async () => (await get(other, '/settings/captures')).engine_url === engine.url)
})
afterAll(async () => {
  gate?.resolve()
  await database?.[Symbol.asyncDispose]()
  await engine.stop()
})

const get = async ({ url }: RunningServer, path: string): Promise<Json> =>
  (await fetch(`${url}${path}`)).json()

async function send({ url }: RunningServer, method: string, path: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function upload({ url }: RunningServer): Promise<{ id: string; status: number }> {
  const form = new FormData()
  form.set('file', new File([await recordingFile('short-17.flac').arrayBuffer()], 'note.flac'))
  const response = await fetch(`${url}/captures?wait=false`, { method: 'POST', body: form })
  return { id: ((await response.json()) as Json).id, status: response.status }
}

function hold(): Disposable {
  const held = Promise.withResolvers<void>()
  gate = held
  return {
    [Symbol.dispose]() {
      gate = null
      held.resolve()
    },
  }
}

const untilAllCompleted = (ids: string[]) =>
  until(async () => {
    const [row] = await database.sql`select count(*)::int as count from captures
      where id in ${database.sql(ids)} and status = 'completed'`
    return row!.count === ids.length
  }, PATIENCE)

withPostgres('refuses on both servers what is too much for the queue that they share', async () => {
  const ids: string[] = []
  const accept = async (server: RunningServer) => {
    const { id, status } = await upload(server)
    if (status === 202) ids.push(id)
    return status
  }
  {
    using _held = hold()
    await until(async () => (await accept(one)) === 429, PATIENCE)
    await until(async () => (await accept(other)) === 429, PATIENCE)
    const [row] = await database.sql`select count(*)::int as count from jobs where state = 'waiting'`
    // A server counts the jobs of the others every five seconds.
    expect(row!.count).toBeLessThanOrEqual(2 * MAX_QUEUE)
  }
  await untilAllCompleted(ids)
})

withPostgres('signs the deliveries of both servers with one key', async () => {
  const received: { body: string; signature: string }[] = []
  const recipient = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      received.push({
        body: await request.text(),
        signature: request.headers.get('x-dictation-signature') ?? '',
      })
      return new Response(null, { status: 204 })
    },
  })
  const setAddress = async (url: string | null) => {
    await send(one, 'PATCH', '/settings/captures', { webhook_url: url })
    await until(async () => (await get(other, '/settings/captures')).webhook_url === url)
  }
  await setAddress(`http://127.0.0.1:${recipient.port}/`)
  const made = await Promise.all([one, other, one, other].map(upload))
  const completed = () =>
    new Set(
      received
        .map(({ body }) => JSON.parse(body))
        .filter(({ event }) => event === 'capture.completed')
        .map(({ capture_id: id }) => id),
    )
  await until(() => made.every(({ id }) => completed().has(id)), PATIENCE)
  await setAddress(null)
  const [row] = await database.sql`select webhook_key as key from library`
  for (const { body, signature } of received) {
    const [, time] = /^t=(\d+),v1=/.exec(signature) ?? []
    const code = createHmac('sha256', row!.key).update(`${time}.${body}`).digest('hex')
    expect(signature).toBe(`t=${time},v1=${code}`)
  }
  await recipient.stop(true)
})

withPostgres('completes a batch of both servers once, and goes on when one of them dies', async () => {
  const ids: string[] = []
  for (let number = 0; number < MAX_QUEUE; number++) ids.push((await upload(one)).id)
  await untilAllCompleted(ids)
  const third = await database.server()
  const batch = await send(third, 'POST', '/captures/retranscribe', { ids })
  const shown = async () => get(one, `/jobs/batches/${batch.batch_id}`)
  {
    using _held = hold()
    await until(async () => (await shown()).queued > 0, PATIENCE)
    await third.kill()
  }
  await until(async () => (await shown()).state !== 'running', PATIENCE)
  expect(await shown()).toMatchObject({ state: 'completed', completed: ids.length, failed: 0 })
  const jobs = await database.sql`select capture_id as id, count(*)::int as count from jobs
    where kind = 'retranscribe' and state = 'completed' group by 1`
  expect(jobs.map(({ count }) => count)).toEqual(ids.map(() => 1))
})

withPostgres('gives up a recording at which sixteen servers died, and no other', async () => {
  const victim = await database.server()
  const made: string[] = []
  const begun = () =>
    made.find((id) => victim.log().some(({ msg, captureId }) => msg === 'begun' && captureId === id))
  let poison: string | undefined
  {
    using _held = hold()
    // The others may take some of them.
    while (poison === undefined) {
      made.push((await upload(victim)).id)
      poison = await until(begun, { timeoutMs: 5000 }).catch(() => undefined)
    }
    await victim.kill()
    await database.sql`update jobs set attempts = 16 where capture_id = ${poison}`
    const isFailed = async () => (await get(one, `/captures/${poison}`)).status === 'failed'
    await until(isFailed, { ...PATIENCE, what: 'the takeover' })
  }
  expect((await get(other, `/captures/${poison}`)).error.code).toBe('gave_up')
  await untilAllCompleted(made.filter((id) => id !== poison))
})
