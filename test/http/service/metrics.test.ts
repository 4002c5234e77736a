// GET /metrics and GET /tasks/active.

import { expect, test } from 'bun:test'
import { composeApp } from '../../../src/http/compose-app.ts'
import { defineRoute } from '../../../src/http/kernel/route.ts'
import { strictObject } from '../../../src/http/kernel/schema.ts'
import { createMetrics } from '../../../src/http/server/metrics-registry.ts'
import { createRouteTable } from '../../../src/http/server/router.ts'
import { addServerMetrics, metricsRoute, type ServerMetricsDeps } from '../../../src/http/service/metrics.ts'
import { taskRoutes } from '../../../src/http/service/tasks.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { succeed } from '../../../src/lib/result.ts'
import { uuid } from '../../../src/lib/schema.ts'
import { capture, finishedCapture, openArchive, said } from '../../support/archive.ts'
import { until } from '../../support/until.ts'
import { declared, ORIGIN } from '../../support/web.ts'

const engine: ServerMetricsDeps['engine'] = {
  health: () => ({ state: 'ready', loadedModel: null, restarts: 2 }),
}

const thing = defineRoute(
  {
    ...declared,
    method: 'GET',
    path: '/things/{id}',
    operationId: 'getThing',
    params: strictObject({ id: uuid() }),
  },
  () => Response.json({}),
)

async function measured(deps: Pick<ServerMetricsDeps, 'jobs' | 'captures'>) {
  const metrics = createMetrics()
  addServerMetrics({ ...deps, metrics, engine, liveSessions: { count: () => 3 }, version: '1.2.3' })
  const config = { port: 17_493, token: null, users: 'own' as const, origins: [] }
  const options = { config, log: silentLog, version: '1.2.3', onAnswered: metrics.answered }
  const app = await composeApp([metricsRoute({ metrics }), thing], options)
  const call = (path: string, init: RequestInit = {}) =>
    app.fetch(new Request(`${ORIGIN}${path}`, { headers: { host: 'localhost:17493' }, ...init }))
  /** every sample by its name and labels */
  const samples = async () => {
    const response = await call('/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    )
  }
  return { metrics, call, samples }
}

test('counts requests by route template, never by path', async () => {
  await using archive = await openArchive({ working: false })
  const { call, samples } = await measured(archive)
  const id = '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11'
  await call(`/things/${id}`)
  await call(`/things/${id}`, { method: 'HEAD' })
  await call('/things/none')
  await call('/things/none/secret')
  await call('/secret?token=secret')
  await call(`/things/${id}`, { method: 'PROPFIND' })
  const counted = await samples()
  const requests = [...counted].filter(([name]) => name.startsWith('dictation_http_requests_total'))
  expect(Object.fromEntries(requests)).toEqual({
    'dictation_http_requests_total{method="GET",route="/things/{id}",status="200"}': 1,
    'dictation_http_requests_total{method="HEAD",route="/things/{id}",status="200"}': 1,
    'dictation_http_requests_total{method="GET",route="/things/{id}",status="422"}': 1,
    'dictation_http_requests_total{method="GET",route="(none)",status="404"}': 2,
    'dictation_http_requests_total{method="other",route="/things/{id}",status="405"}': 1,
  })
  const bucket = 'dictation_http_request_duration_seconds_count{method="GET",route="/things/{id}"}'
  expect(counted.get(bucket)).toBe(2)
  expect([...counted.keys()].join('\n')).not.toMatch(/secret|019ab1c2/)
})

test('reads queue, captures, engine and process at each scrape', async () => {
  await using archive = await openArchive({ working: false })
  await capture(archive)
  await capture(archive)
  const { samples } = await measured(archive)
  for (let again = 0; again < 2; again++) {
    const counted = await samples()
    expect(counted.get('dictation_queue_jobs{state="waiting"}')).toBe(2)
    expect(counted.get('dictation_queue_jobs{state="active"}')).toBe(0)
    expect(counted.get('dictation_queue_oldest_waiting_seconds')).toBeGreaterThanOrEqual(0)
    expect(counted.get('dictation_captures')).toBe(2)
    expect(counted.get('dictation_engine_restarts_total')).toBe(2)
    expect(counted.get('dictation_info{version="1.2.3"}')).toBe(1)
    expect(counted.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(counted.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  }
})

test('omits only the metrics of the database while it is unavailable', async () => {
  const away = async () => {
    throw new Error('away')
  }
  const { samples } = await measured({
    jobs: { counts: away, waitingAudioSeconds: away },
    captures: { list: away },
  })
  const names = [...(await samples()).keys()]
  expect(names.filter((name) => /queue|captures/.test(name))).toEqual([])
  expect(names).toContain('dictation_engine_restarts_total')
})

test('measures the real-time factor of transcriptions', async () => {
  await using archive = await openArchive({ working: false })
  const { metrics, samples } = await measured(archive)
  metrics.transcribed({ model: 'tiny', audioMs: 4000, processingMs: 1000 })
  metrics.transcribed({ model: 'tiny', audioMs: 0, processingMs: 10 })
  metrics.delivered('refused')
  const counted = await samples()
  expect(counted.get('dictation_audio_seconds_total{model="tiny"}')).toBe(4)
  expect(counted.get('dictation_transcription_seconds_total{model="tiny"}')).toBe(1.01)
  expect(counted.get('dictation_real_time_factor_sum{model="tiny"}')).toBe(0.25)
  expect(counted.get('dictation_real_time_factor_count{model="tiny"}')).toBe(1)
  expect(counted.get('dictation_webhook_deliveries_total{outcome="refused"}')).toBe(1)
})

test('prefers an exact path to a template', () => {
  const paths = ['/captures/{id}', '/captures/stats', '/captures/{id}/audio']
  const table = createRouteTable(paths.map((path) => ({ method: 'GET', path })))
  const name = (path: string) => table.at(path)[0]?.path ?? null
  expect(
    ['/captures/stats', '/captures/x', '/captures/x/audio', '/captures', '/captures/x/y'].map(name),
  ).toEqual(['/captures/stats', '/captures/{id}', '/captures/{id}/audio', null, null])
})

test('lists active jobs and downloads, and clears failed downloads', async () => {
  const gate = Promise.withResolvers<void>()
  await using archive = await openArchive({
    async transcribe() {
      await gate.promise
      return succeed(said('hello'))
    },
  })
  const download = {
    model_name: 'whisper-base',
    status: 'downloading' as const,
    started_at: '2026-01-31T12:00:00.000Z',
    error: null,
    progress: 50,
    current: 5,
    total: 10,
    filename: 'ggml-base.bin',
  }
  let failed = 1
  const clearFailed = () => {
    const cleared = failed
    failed = 0
    return cleared
  }
  const routes = taskRoutes({ jobs: archive.jobs, downloads: { active: () => [download], clearFailed } })
  const config = { port: 17_493, token: null, users: 'own' as const, origins: [] }
  const app = await composeApp(routes, { config, log: silentLog, version: '0' })
  const tasks = async () =>
    (await app.fetch(new Request(`${ORIGIN}/tasks/active`, { headers: { host: 'localhost:17493' } }))).json()
  const clear = async () => {
    const headers = { host: 'localhost:17493' }
    return (await app.fetch(new Request(`${ORIGIN}/tasks/clear`, { method: 'POST', headers }))).json()
  }
  expect(await clear()).toEqual({ message: 'One failed download was cleared from the list.' })
  expect(await clear()).toEqual({ message: 'There was nothing to clear.' })
  const { jobId, capture: made } = await capture(archive)
  await until(async () => (await tasks()).jobs.length === 1)
  expect(await tasks()).toEqual({
    downloads: [download],
    jobs: [expect.objectContaining({ id: jobId, capture_id: made.id, state: 'active' })],
    generations: [],
  })
  gate.resolve()
  await until(async () => (await tasks()).jobs.length === 0)
  await finishedCapture(archive)
})
