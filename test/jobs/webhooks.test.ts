// Webhook deliveries over HTTP, to a real server that is slow, broken, gone or redirects, with real restarts of the
// queue between the attempts.

import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { findLibrary } from '../../db/library.ts'
import { wireCapture } from '../../src/http/captures/schema.ts'
import type { Queue } from '../../src/jobs/queue.ts'
import { openWebhooks, type Webhooks } from '../../src/jobs/webhooks.ts'
import { createEventBus } from '../../src/lib/events.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import type { Library } from '../../src/library/library.ts'
import { type ArchiveOptions, finishedCapture, openArchive, said } from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: any body; the tests check its shape
type Json = Record<string, any>
type Received = { path: string; headers: Headers; text: string; body: Json }

/** Responds as `answer` does, with 204 by default; stores the requests. */
function receiver(answer?: (count: number) => Response | Promise<Response>) {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text()
      const path = new URL(request.url).pathname
      received.push({ path, headers: request.headers, text, body: JSON.parse(text) })
      return (await answer?.(received.length)) ?? new Response(null, { status: 204 })
    },
  })
  return {
    received,
    url: `http://127.0.0.1:${server.port}/hook`,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

type Options = Omit<ArchiveOptions, 'captureEvents'> & {
  webhookUrl: string | null
  timeoutMs?: number
  retryLimit?: number
}

/** An archive whose captures are announced as in server.ts, with no delay between attempts. */
async function openAnnouncing({ webhookUrl, timeoutMs = 5000, retryLimit = 3, ...options }: Options) {
  const settings = { webhookUrl }
  const events = createEventBus()
  const outcomes: string[] = []
  let webhooks: Webhooks | undefined
  let library: Library
  const open = async (queue: Queue, given: Library) => {
    library = given
    webhooks = await openWebhooks({
      ...{ queue, library, wireCapture, events, timeoutMs, log: silentLog },
      settings: { current: () => settings },
      clock: () => new Date(),
      onOutcome: (outcome) => outcomes.push(outcome),
      persistence: { retryLimit, retryDelay: 0 },
    })
    return { publish: events.publish, announcing: webhooks.announcing }
  }
  const archive = await openArchive({ ...options, captureEvents: open })
  await webhooks!.start(archive.captures)
  const queued = () => archive.queue.boss.findJobs('webhook')
  const key = () => library.webhookKey()
  const stop = async () => {
    await webhooks!.stop()
    await archive.stop()
  }
  return {
    ...{ archive, settings, outcomes, queued, key, stop },
    async [Symbol.asyncDispose]() {
      await webhooks!.stop()
      await archive[Symbol.asyncDispose]()
    },
  }
}

const settled = (opened: { queued(): Promise<unknown[]> }) =>
  until(async () => (await opened.queued()).length === 0)

const isSigned = ({ headers, text }: Received, secret: string) => {
  const [, seconds, code] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-dictation-signature')!)!
  const expected = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return code === expected && Math.abs(Number(seconds) - Date.now() / 1000) < 60
}

test('delivers a finished capture, signed, in the form of the API', async () => {
  await using target = receiver()
  await using opened = await openAnnouncing({ webhookUrl: target.url })
  const capture = await finishedCapture(opened.archive)
  await settled(opened)

  expect(target.received).toHaveLength(1)
  const [delivery] = target.received
  expect(delivery!.path).toBe('/hook')
  expect(delivery!.headers.get('content-type')).toBe('application/json')
  expect(delivery!.headers.get('x-dictation-event')).toBe('capture.completed')
  expect(delivery!.body).toEqual({
    id: delivery!.headers.get('x-dictation-delivery'),
    event: 'capture.completed',
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    capture_id: capture.id,
    capture: JSON.parse(JSON.stringify(wireCapture(capture))),
  })
  const secret = await opened.key()
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(isSigned(delivery!, secret)).toBe(true)
})

test('delivers failures, refinements and deletions with their own events', async () => {
  await using target = receiver()
  let works = true
  await using opened = await openAnnouncing({
    webhookUrl: target.url,
    transcribe: async () =>
      works ? succeed(said('hello')) : fail({ code: 'undecodable_audio', message: 'no' }),
  })
  const { captures, jobs } = opened.archive
  const events = () => target.received.map(({ body }) => body.event)
  const good = await finishedCapture(opened.archive)
  await until(() => events().length === 1)
  const refining = await captures.refine(good.id, {
    ...{ writingStyleId: null, flags: null, useLlm: null, llmModel: null },
  })
  if (!refining.ok) throw new Error(refining.failure.message)
  await jobs.wait(refining.value.jobId, { timeoutMs: 60_000 })
  await until(() => events().length === 2)
  works = false
  const bad = await finishedCapture(opened.archive)
  await until(() => events().length === 3)
  await captures.remove(good.id)
  await settled(opened)

  expect(events()).toEqual(['capture.completed', 'capture.refined', 'capture.failed', 'capture.deleted'])
  expect(target.received[2]!.body.capture).toMatchObject({ id: bad.id, status: 'failed' })
  expect(target.received[3]!.body).toMatchObject({ capture_id: good.id, capture: null })
})

test('queues nothing and creates no key while no address is set', async () => {
  await using opened = await openAnnouncing({ webhookUrl: null })
  await finishedCapture(opened.archive)
  expect(await opened.queued()).toEqual([])
  expect(await opened.archive.database.run(findLibrary)).toMatchObject({ webhookKey: null })
})

test('retries the same delivery until the receiver accepts it, and not after that', async () => {
  await using target = receiver((count) => new Response('no', { status: count < 3 ? 500 : 200 }))
  await using opened = await openAnnouncing({ webhookUrl: target.url })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['refused', 'refused', 'delivered'])
  expect(new Set(target.received.map(({ body }) => body.id)).size).toBe(1)
})

test('sends no further request to a receiver that responds 410', async () => {
  await using target = receiver(() => new Response(null, { status: 410 }))
  await using opened = await openAnnouncing({ webhookUrl: target.url })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['gone'])
})

testAtLength('drops a delivery after the last attempt', async () => {
  await using target = receiver(() => new Response(null, { status: 503 }))
  await using opened = await openAnnouncing({ webhookUrl: target.url, retryLimit: 1 })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['refused', 'refused'])
})

testAtLength('retries a delivery after the receiver times out', async () => {
  const never = Promise.withResolvers<Response>()
  await using target = receiver((count) => (count === 1 ? never.promise : new Response('ok')))
  await using opened = await openAnnouncing({ webhookUrl: target.url, timeoutMs: 2000 })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['unreachable', 'delivered'])
  never.resolve(new Response('late'))
})

test('does not read an endless response', async () => {
  let sent = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          sent++
          controller.enqueue(new Uint8Array(65_536))
          await Bun.sleep(1)
        },
      }),
    )
  await using target = receiver(endless)
  await using opened = await openAnnouncing({ webhookUrl: target.url })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['delivered'])
  expect(sent).toBeLessThan(1000)
})

test('refuses to follow a redirect', async () => {
  await using elsewhere = receiver()
  await using target = receiver((count) =>
    count === 1 ? Response.redirect(elsewhere.url, 307) : new Response('ok'),
  )
  await using opened = await openAnnouncing({ webhookUrl: target.url })
  await finishedCapture(opened.archive)
  await settled(opened)
  expect(opened.outcomes).toEqual(['refused', 'delivered'])
  expect(elsewhere.received).toEqual([])
})

test('sends waiting deliveries to a new address, and drops them without one', async () => {
  await using target = receiver()
  await using opened = await openAnnouncing({ webhookUrl: 'http://127.0.0.1:1/hook', retryLimit: 10_000 })
  await finishedCapture(opened.archive)
  await until(() => opened.outcomes.includes('unreachable'))
  opened.settings.webhookUrl = target.url
  await settled(opened)
  expect(target.received).toHaveLength(1)

  opened.settings.webhookUrl = 'http://127.0.0.1:1/hook'
  const before = opened.outcomes.length
  await finishedCapture(opened.archive)
  await until(() => opened.outcomes.length > before)
  opened.settings.webhookUrl = null
  await settled(opened)
  expect(target.received).toHaveLength(1)
})

test('delivers nothing about a deleted capture except its deletion', async () => {
  await using target = receiver()
  await using opened = await openAnnouncing({ webhookUrl: 'http://127.0.0.1:1/hook', retryLimit: 10_000 })
  const capture = await finishedCapture(opened.archive)
  await until(() => opened.outcomes.includes('unreachable'))
  await opened.archive.captures.remove(capture.id)
  opened.settings.webhookUrl = target.url
  await settled(opened)
  expect(target.received.map(({ body }) => body.event)).toEqual(['capture.deleted'])
  expect(target.received[0]!.text).not.toContain('hello')
})

test('repeats an interrupted delivery after a restart, with the same key', async () => {
  await using folder = await createTestFolder()
  const arrived = Promise.withResolvers<void>()
  const never = Promise.withResolvers<Response>()
  await using target = receiver((count) => {
    if (count > 1) return new Response('ok')
    arrived.resolve()
    return never.promise
  })
  const first = await openAnnouncing({ folder, webhookUrl: target.url })
  const capture = await finishedCapture(first.archive)
  await arrived.promise
  const secret = await first.key()
  await first.stop()

  await using second = await openAnnouncing({ folder, webhookUrl: target.url })
  await settled(second)
  expect(target.received).toHaveLength(2)
  expect(target.received[1]!.body).toMatchObject({ event: 'capture.completed', capture_id: capture.id })
  expect(target.received[1]!.body.id).toBe(target.received[0]!.body.id)
  expect(isSigned(target.received[1]!, secret)).toBe(true)
  never.resolve(new Response('late'))
})

testAtLength('loses no delivery in a stop at any moment of its retries', async () => {
  await using folder = await createTestFolder()
  await using target = receiver()
  for (let round = 0; round < 5; round++) {
    const failing = { webhookUrl: 'http://127.0.0.1:1/hook', retryLimit: 10_000 }
    const opened = await openAnnouncing({ folder, ...failing })
    for (let n = 0; n < 4; n++) await finishedCapture(opened.archive)
    await until(() => opened.outcomes.length > 20)
    await opened.stop()
  }
  await using last = await openAnnouncing({ folder, webhookUrl: target.url, retryLimit: 10_000 })
  await settled(last)
  expect(new Set(target.received.map(({ body }) => body.id)).size).toBe(20)
})

testAtLength('resumes a delivery that was in flight when the process died', async () => {
  await using folder = await createTestFolder()
  await using target = receiver()
  const first = await openAnnouncing({ folder, webhookUrl: 'http://127.0.0.1:1/hook', retryLimit: 10_000 })
  await finishedCapture(first.archive)
  await until(() => first.outcomes.includes('unreachable'))
  await first.stop()
  // As after a process that died while it waited for a response.
  const between = await openArchive({ folder, working: false })
  await between.queue.boss.fetch('webhook', { ignoreStartAfter: true })
  expect((await between.queue.boss.findJobs('webhook')).map(({ state }) => state)).toEqual(['active'])
  await between.stop()

  await using second = await openAnnouncing({ folder, webhookUrl: target.url })
  await settled(second)
  expect(target.received).toHaveLength(1)
})
