// Two real servers on one real Postgres: what happens on one reaches the clients of the other.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { createOneDatabase, isPostgresInstalled, type OneDatabase } from '../support/two-servers.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(240_000)

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
type Json = any

const withPostgres = test.skipIf(!(await isPostgresInstalled()))

let database: OneDatabase
let one: RunningServer
let other: RunningServer

beforeAll(async () => {
  if (!(await isPostgresInstalled())) return
  database = await createOneDatabase()
  one = await database.server()
  other = await database.server()
})
afterAll(() => database?.[Symbol.asyncDispose]())

async function upload({ url }: RunningServer, recording: string, query = 'wait=true'): Promise<Json> {
  const form = new FormData()
  form.set('file', new File([await recordingFile(recording).arrayBuffer()], recording))
  const response = await fetch(`${url}/captures?${query}`, { method: 'POST', body: form })
  return { ...((await response.json()) as Json), answered: response.status }
}

const get = async ({ url }: RunningServer, path: string): Promise<Json> =>
  (await fetch(`${url}${path}`)).json()

const completedBy = (server: RunningServer): Set<unknown> =>
  new Set(
    server
      .log()
      .filter(({ msg }) => msg === 'job completed')
      .map(({ captureId }) => captureId),
  )

/** The server that works on a job, and the other one. */
async function workerOf(jobId: string): Promise<[RunningServer, RunningServer]> {
  const hasBegun = (server: RunningServer) =>
    server.log().some((line) => line.jobId === jobId && line.msg === 'begun')
  return until(() => (hasBegun(one) ? [one, other] : hasBegun(other) ? [other, one] : null))
}

/** One reading of GET /events, as [event, data] pairs so far. */
function follow({ url }: RunningServer, lastEventId?: string) {
  const told: [string, Json][] = []
  const ids: string[] = []
  const leaving = new AbortController()
  const over = (async () => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const response = await fetch(`${url}/events`, { headers, signal: leaving.signal })
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
        if (field('event') === undefined) continue
        ids.push(field('id')!)
        told.push([field('event')!, JSON.parse(field('data')!)])
      }
    }
  })().catch(() => {})
  const leave = () => {
    leaving.abort()
    return over
  }
  return { told, ids, leave }
}

/** Ends each connection that listens for notifications; it checks itself from time to time. */
const cut = () =>
  database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
    and pid <> pg_backend_pid() and (query like 'LISTEN%' or query like '%pg_listening_channels%')`

function keepCut() {
  const timer = setInterval(() => void cut().catch(() => {}), 100)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

withPostgres('answers ?wait=true when another server has done the job', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => upload(one, 'short-17.flac')))
  expect(answers.map(({ answered }) => answered)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map(({ transcript_raw: text }) => text)).size).toBe(1)
  const elsewhere = completedBy(other)
  expect(answers.filter(({ id }) => elsewhere.has(id))).not.toEqual([])
  expect(answers.filter(({ id }) => completedBy(one).has(id)).length + elsewhere.size).toBe(answers.length)
})

withPostgres('reports the warnings of a job that another server has done', async () => {
  const setPrompt = async (prompt: string | null) => {
    const body = JSON.stringify({ initial_prompt: prompt })
    await fetch(`${one.url}/settings/captures`, {
      method: 'PATCH',
      body,
      headers: { 'content-type': 'application/json' },
    })
    await until(async () => (await get(other, '/settings/captures')).initial_prompt === prompt)
  }
  await setPrompt('much too long '.repeat(200).trim())
  const answers = await Promise.all(Array.from({ length: 12 }, () => upload(one, 'short-17.flac')))
  await setPrompt(null)
  const codes = answers.map(({ warnings }) => warnings.map(({ code }: Json) => code))
  expect(answers.filter(({ id }) => completedBy(other).has(id))).not.toEqual([])
  expect(codes).toEqual(answers.map(() => ['prompt_shortened']))
})

withPostgres('stops a job on the server that works on it, whichever server cancels it', async () => {
  const { id } = await upload(one, 'long-3-minutes.flac', 'wait=false')
  const { items } = await get(one, `/jobs?capture_id=${id}`)
  const [worker, bystander] = await workerOf(items[0].id)
  expect((await fetch(`${bystander.url}/jobs/${items[0].id}`, { method: 'DELETE' })).status).toBe(200)
  const isStopped = () => worker.log().some((line) => line.jobId === items[0].id && line.msg === 'canceled')
  await until(isStopped, { what: 'the worker to stop' })
  expect(await get(worker, `/captures/${id}`)).toMatchObject({ status: 'canceled', transcript_raw: '' })
})

withPostgres('streams the events of both servers, with progress', async () => {
  const streams = [follow(one), follow(other)]
  await until(() => streams.every(({ told }) => told.length > 0))
  const { id } = await upload(one, 'long-3-minutes.flac', 'wait=600')
  for (const { told, leave } of streams) {
    const own = () => told.filter(([, data]) => data.capture_id === id)
    const isOver = () => own().some(([name, data]) => name === 'job.progress' && data.state === 'completed')
    await until(isOver, { what: 'the end of the job' })
    const names = own().map(([name, data]) => `${name} ${data.state ?? data.status}`)
    expect(names).toContain('capture.created pending')
    expect(own().some(([, { state, progress }]) => state === 'active' && progress > 0)).toBe(true)
    await leave()
  }
})

withPostgres('answers reset to the Last-Event-ID of another server', async () => {
  const first = follow(one)
  await until(() => first.ids.length > 0)
  const second = follow(other, first.ids[0]!)
  await until(() => second.told.length > 0)
  expect(second.told[0]).toEqual(['reset', {}])
  await Promise.all([first.leave(), second.leave()])
})

withPostgres('waits, cancels and wakes by the rows while no notification arrives', async () => {
  using _cut = keepCut()
  const answers = await Promise.all(Array.from({ length: 12 }, () => upload(one, 'short-17.flac')))
  expect(answers.map(({ answered }) => answered)).toEqual(answers.map(() => 201))
  const { id } = await upload(one, 'long-3-minutes.flac', 'wait=false')
  const { items } = await get(one, `/jobs?capture_id=${id}`)
  const [worker, bystander] = await workerOf(items[0].id)
  await fetch(`${bystander.url}/jobs/${items[0].id}`, { method: 'DELETE' })
  await until(() => worker.log().some((line) => line.jobId === items[0].id && line.msg === 'canceled'))
})

withPostgres('sends reset to its clients when its listener is back', async () => {
  const { told, leave } = follow(other)
  await until(() => told.length > 0)
  await cut()
  await until(() => told.some(([name]) => name === 'reset'))
  await leave()
})

withPostgres('removes from the cache of one server what is deleted on the other', async () => {
  const { id } = await upload(one, 'short-17.flac')
  await (await fetch(`${other.url}/captures/${id}/audio`)).arrayBuffer()
  await get(other, `/captures/${id}/waveform`)
  const cached = async () =>
    (await readdir(join(other.dataFolder, 'cache'), { recursive: true })).filter((name) => name.includes(id))
  expect(await cached()).toHaveLength(2)
  expect((await fetch(`${one.url}/captures/${id}`, { method: 'DELETE' })).status).toBe(200)
  await until(async () => (await cached()).length === 0, { what: 'the cache to lose it' })
})
