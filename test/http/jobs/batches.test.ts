// The routes for bulk work. Files, database and queue are real; the recogniser is a stub.

import { afterAll, describe, expect, test } from 'bun:test'
import { jobRoutes } from '../../../src/app.ts'
import { deleteManyRoute, retranscribeManyRoute } from '../../../src/http/captures/bulk.ts'
import { createBatches } from '../../../src/jobs/batches.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { fail, succeed } from '../../../src/lib/result.ts'
import { finishedCapture, openArchive, said } from '../../support/archive.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

const gate = { closed: false, open: Promise.withResolvers<void>() }
const archive = await openArchive({
  async transcribe({ model }) {
    if (gate.closed) await gate.open.promise
    return succeed(said('hello', { model: model ?? 'tiny.en-q5_1' }))
  },
})
const { database, dataFolder, captures, queue } = archive
const place = { database, dataFolder, clock: () => new Date(), log: silentLog }
const batches = createBatches({ ...place, captures, queue })
await batches.start()
afterAll(async () => {
  gate.open.resolve()
  await batches.stop()
  await archive[Symbol.asyncDispose]()
})

const models = {
  resolve: async (name: string | null) =>
    name === 'nothing'
      ? fail({ code: 'unknown_model' as const, message: 'There is no such model.' })
      : succeed({
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
const { call } = await webOf([
  retranscribeManyRoute({ batches, models, engine }),
  deleteManyRoute({ batches }),
  ...jobRoutes({ jobs: archive.jobs, batches }),
])
const send = async (method: string, path: string, body?: Json) => {
  const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await call(path, { method, ...sent })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
}
const ended = (url: string) =>
  until(
    async () => {
      const { body } = await send('GET', url)
      return body.state === 'running' ? null : body
    },
    { what: 'the batch to end' },
  )

describe('retranscribing many captures', () => {
  test('starts a batch and reports its progress until it is done', async () => {
    const { id } = await finishedCapture(archive, { appName: 'Mail' })
    const begun = await send('POST', '/captures/retranscribe', {
      ...{ filter: { app: 'mail', starred: false }, model: 'base', prompt: 'Ada', skip_if_same_model: true },
    })
    expect(begun.status).toBe(202)
    expect(begun.body).toMatchObject({ queued: 1, skipped: 0, warnings: [{ code: 'prompt_ignored' }] })
    expect(begun.headers.get('location')).toBe(begun.body.status_url)
    expect(await ended(begun.body.status_url)).toEqual({
      ...{ id: begun.body.batch_id, kind: 'retranscribe', state: 'completed', model: 'base', language: null },
      ...{ total: 1, waiting: 0, queued: 0, completed: 1, failed: 0, skipped: 0, canceled: 0 },
      ...{
        created_at: expect.any(String),
        finished_at: expect.any(String),
        errors: [],
        estimate_seconds: null,
      },
    })
    expect(await captures.get(id)).toMatchObject({ sttModel: 'base' })
    const again = { ids: [id], model: 'base', skip_if_same_model: true }
    expect((await send('POST', '/captures/retranscribe', again)).body).toMatchObject({
      queued: 0,
      skipped: 1,
    })
  })

  test('dry_run reports the plan and does nothing', async () => {
    await finishedCapture(archive)
    const before = (await send('GET', '/jobs/batches')).body.total
    const plan = await send('POST', '/captures/retranscribe', { filter: {}, model: 'base', dry_run: true })
    expect(plan).toMatchObject({ status: 200, body: { skipped: 0, measured_with: 'this_model' } })
    expect(plan.body.to_do).toBe(plan.body.total)
    expect(plan.body.estimate_seconds).toBeGreaterThan(0)
    expect((await send('GET', '/jobs/batches')).body.total).toBe(before)
  })

  test('is cancelled once', async () => {
    const { id } = await finishedCapture(archive)
    gate.closed = true
    const { body } = await send('POST', '/captures/retranscribe', { ids: [id] })
    await until(async () => (await send('GET', body.status_url)).body.queued === 1)
    const running = await send('GET', body.status_url)
    expect(running.body).toMatchObject({ state: 'running', model: 'tiny.en', estimate_seconds: 1 })
    expect(await send('DELETE', body.status_url)).toMatchObject({
      ...{ status: 200, body: { state: 'canceled', canceled: 1, queued: 0 } },
    })
    gate.closed = false
    gate.open.resolve()
    expect(await send('DELETE', body.status_url)).toMatchObject({
      ...{ status: 409, body: { code: 'batch_finished' } },
    })
  })

  const refused: [what: string, body: Json, status: number, expected: Json][] = [
    ['neither ids nor a filter', {}, 422, { errors: [{ in: 'body', path: '/ids' }] }],
    [
      'ids together with a filter',
      { ids: [crypto.randomUUID()], filter: {} },
      422,
      { errors: [{ path: '/filter' }] },
    ],
    [
      'ids together with an invalid filter',
      { ids: [crypto.randomUUID()], filter: { since: '2026-02-31T00:00:00Z' } },
      422,
      { errors: [{ path: '/filter' }, { path: '/filter/since' }] },
    ],
    ['no ids', { ids: [] }, 422, { errors: [{ path: '/ids' }] }],
    [
      'a day that does not exist',
      { filter: { since: '2026-02-31T00:00:00Z' } },
      422,
      { code: 'invalid_request' },
    ],
    ['an unknown model', { filter: {}, model: 'nothing' }, 422, { code: 'unknown_model' }],
    ['a language the model lacks', { filter: {}, language: 'de' }, 422, { code: 'unsupported_language' }],
  ]
  for (const [what, body, status, expected] of refused)
    test(`refuses ${what}`, async () => {
      expect(await send('POST', '/captures/retranscribe', body)).toMatchObject({ status, body: expected })
    })

  test('refuses what the schema finds and what a lookup finds, together', async () => {
    const { status, body } = await send('POST', '/captures/retranscribe', {
      ...{ filter: { since: '2026-02-31', until: 'soon', tz: 'Mars/Base', starred: 'yes' } },
      ...{ ids: [crypto.randomUUID()], model: 'nothing', key: '', prompt: 1 },
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ path }: Json) => path).toSorted()).toEqual([
      ...['/filter', '/filter/since', '/filter/starred', '/filter/tz', '/filter/until', '/key', '/model'],
      '/prompt',
    ])
    const language = { model: 'tiny.en', language: 'de', filter: { tz: 'Mars/Base' }, more: 1 }
    const other = await send('POST', '/captures/retranscribe', language)
    expect(other.body.errors.map(({ path }: Json) => path).toSorted()).toEqual([
      ...['/filter/tz', '/language', '/more'],
    ])
    expect((await send('GET', '/jobs/batches?limit=1')).body.items[0]?.state).not.toBe('running')
  })

  test('refuses everything that is invalid at once', async () => {
    const { status, body } = await send('POST', '/captures/retranscribe', {
      ...{ ids: ['x'], filter: { starred: 'yes', limit: 1 }, language: 'xx', dry_run: 1, more: 1 },
    })
    expect(status).toBe(422)
    expect(body.errors.map(({ path }: Json) => path).toSorted()).toEqual([
      ...['/dry_run', '/filter', '/filter/limit', '/filter/starred', '/ids/0', '/language', '/more'],
    ])
  })
})

describe('deleting many captures', () => {
  test('starts and completes a batch', async () => {
    const one = await finishedCapture(archive)
    const other = await finishedCapture(archive, { appName: 'Notes' })
    const begun = await send('POST', '/captures/delete', { ids: [one.id, crypto.randomUUID()] })
    expect(begun).toMatchObject({ status: 202, body: { queued: 1, skipped: 1, warnings: [] } })
    expect(await ended(begun.body.status_url)).toMatchObject({ kind: 'delete', model: null, completed: 1 })
    expect(await captures.get(one.id)).toBeNull()
    expect(await captures.get(other.id)).not.toBeNull()
    await ended((await send('POST', '/captures/delete', { filter: { app: 'notes' } })).body.status_url)
    expect(await captures.get(other.id)).toBeNull()
  })

  test('refuses a request without ids and filter, along with all other errors', async () => {
    const paths = async (asked: Json) =>
      (await send('POST', '/captures/delete', asked)).body.errors.map(({ path }: Json) => path).toSorted()
    expect(await paths({})).toEqual(['/ids'])
    expect(await paths({ id: 'x' })).toEqual(['/id', '/ids'])
    expect(await paths({ filter: { trashed: false }, more: 1 })).toEqual(['/filter', '/more'])
    expect(await paths({ filter: { since: '2026-02-30', sort: 'x' } })).toEqual([
      ...['/filter/since', '/filter/sort'],
    ])
    expect(await paths({ filter: 'all', ids: 'x' })).toEqual(['/filter', '/ids'])
    expect(await paths({ filter: [] })).toEqual(['/filter'])
    expect(await paths({ ids: [] })).toEqual(['/ids'])
  })

  test('refuses a filter that matches everything: a field that a client omits by mistake must not cost every recording', async () => {
    const { id } = await finishedCapture(archive)
    for (const filter of [{}, { trashed: false }, { tz: 'UTC' }]) {
      const { status, body } = await send('POST', '/captures/delete', { filter })
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        { in: 'body', path: '/filter', message: expect.stringContaining('matches every capture') },
      ])
    }
    expect(await captures.get(id)).not.toBeNull()
  })
})

test('lists batches page by page', async () => {
  const { body } = await send('GET', '/jobs/batches?limit=1&offset=1')
  expect(body.items).toHaveLength(1)
  expect(body.total).toBeGreaterThan(2)
  expect(body.items[0]).not.toHaveProperty('errors')
})

test('refuses invalid ids, and reports unknown ones', async () => {
  for (const method of ['GET', 'DELETE']) {
    expect((await send(method, '/jobs/batches/x')).status).toBe(422)
    expect(await send(method, `/jobs/batches/${crypto.randomUUID()}`)).toMatchObject({
      ...{ status: 404, body: { code: 'batch_not_found' } },
    })
  }
})
