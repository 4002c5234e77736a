// GET /events: its events, their order, and how a client resumes.

import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { serve } from '../../../src/http/server/serve.ts'
import { eventsRoute } from '../../../src/http/service/events.ts'
import { type ArchiveEvent, createEventBus } from '../../../src/lib/events.ts'
import { finishedCapture, openArchive } from '../../support/archive.ts'
import { testAtLength } from '../../support/at-length.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

type ReceivedEvent = { id: string; event: string; data: unknown }

/** A bus that counts its subscribers. */
function createCountedBus() {
  const bus = createEventBus()
  let listeners = 0
  const subscribe: typeof bus.subscribe = (listen) => {
    const unsubscribe = bus.subscribe(listen)
    listeners++
    return () => {
      listeners--
      unsubscribe()
    }
  }
  return { ...bus, subscribe, listening: () => listeners }
}

async function openFeed() {
  const events = createCountedBus()
  const stopping = new AbortController()
  const web = await webOf([eventsRoute({ events, runId: 'run1', shutdown: stopping.signal })])
  const open = async (lastEventId?: string) => {
    const leaving = new AbortController()
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const response = await web.call('/events', { headers, signal: leaving.signal })
    const received: ReceivedEvent[] = []
    const over = read(response, received)
    const untilReceived = (count: number) =>
      until(() => (received.length >= count ? received : null), { what: () => JSON.stringify(received) })
    return { response, received, untilReceived, over, leave: () => leaving.abort() }
  }
  return { ...web, events, open, stop: () => stopping.abort() }
}

async function read(response: Response, received: ReceivedEvent[]): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      const fields = Object.fromEntries(part.split('\n').map((line) => /^(\w*): (.*)$/.exec(line)!.slice(1)))
      if (fields.event) received.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
    }
  }
}

const created = (captureId: string): ArchiveEvent => ({
  name: 'capture.created',
  captureId,
  status: 'pending',
})
const captureIds = (received: ReceivedEvent[]) =>
  received.map(({ data }) => (data as { capture_id: string }).capture_id)

test('sends ready to a new client, and then the events in order', async () => {
  const { events, open } = await openFeed()
  events.publish(created('before'))
  const client = await open()
  expect(client.response.headers.get('content-type')).toStartWith('text/event-stream')
  await client.untilReceived(1)
  events.publish({ name: 'capture.deleted', captureId: 'c', status: null })
  events.publish({ name: 'job.progress', jobId: 'j', captureId: 'c', state: 'active', progress: 0.5 })
  events.publish({ name: 'model.progress', modelName: 'm', status: 'downloading', current: 1, total: null })
  expect(await client.untilReceived(4)).toEqual([
    { id: 'run1-1', event: 'ready', data: {} },
    { id: 'run1-2', event: 'capture.deleted', data: { capture_id: 'c', status: null } },
    {
      id: 'run1-3',
      event: 'job.progress',
      data: { job_id: 'j', capture_id: 'c', state: 'active', progress: 0.5 },
    },
    {
      id: 'run1-4',
      event: 'model.progress',
      data: { model_name: 'm', status: 'downloading', current: 1, total: null },
    },
  ])
  client.leave()
})

test('resumes without gaps and without repetition', async () => {
  const { events, open } = await openFeed()
  for (const id of ['1', '2', '3', '4']) events.publish(created(id))
  const client = await open('run1-2')
  await client.untilReceived(2)
  events.publish(created('5'))
  expect(captureIds(await client.untilReceived(3))).toEqual(['3', '4', '5'])
  client.leave()
})

test('sends no event twice to a client that missed none', async () => {
  const { events, open } = await openFeed()
  events.publish(created('1'))
  const client = await open('run1-1')
  events.publish(created('2'))
  expect(captureIds(await client.untilReceived(1))).toEqual(['2'])
  client.leave()
})

test.each(['other-3', 'run1-99', 'run1-', 'run1-1x', 'nonsense', 'run1-1e1'])(
  'a client that cannot resume gets a reset: %s',
  async (lastEventId) => {
    const { events, open } = await openFeed()
    for (const id of ['1', '2', '3']) events.publish(created(id))
    const client = await open(lastEventId)
    expect(await client.untilReceived(1)).toEqual([{ id: 'run1-3', event: 'reset', data: {} }])
    client.leave()
  },
)

test('sends a reset if the client missed more events than the server remembers', async () => {
  const { events, open } = await openFeed()
  for (let number = 1; number <= 1500; number++) events.publish(created(String(number)))
  const late = await open('run1-499')
  expect((await late.untilReceived(1))[0]!.event).toBe('reset')
  late.leave()
  const inTime = await open('run1-500')
  expect(captureIds(await inTime.untilReceived(1000))).toHaveLength(1000)
  inTime.leave()
})

test('ends the stream when the server stops', async () => {
  const { open, stop } = await openFeed()
  const client = await open()
  await client.untilReceived(1)
  stop()
  await client.over
})

test('HEAD returns at once although the stream has no end', async () => {
  const { call } = await openFeed()
  const response = await call('/events', { method: 'HEAD' })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

testAtLength('disconnects a client that does not read, and no other', async () => {
  const { app, events } = await openFeed()
  const listening = await serve({ fetch: app.fetch, hostnames: ['127.0.0.1'], port: 0, onError() {} })
  if (!listening.ok) throw new Error(listening.failure.message)
  const { port } = listening.value
  const stalled = connect(port, '127.0.0.1', () => {
    stalled.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    stalled.pause()
  })
  stalled.on('error', () => {})
  await until(() => events.listening() === 1)
  const leaving = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/events`, { signal: leaving.signal })
  const received: ReceivedEvent[] = []
  const over = read(response, received).catch(() => {})
  await until(() => received.length === 1)

  // The socket buffers hold some megabytes for a client that does not read.
  const modelName = 'm'.repeat(50_000)
  let published = 0
  const publish = () => {
    events.publish({ name: 'model.progress', modelName, status: 'downloading', current: 1, total: null })
    published++
  }
  const publishUntilDisconnected = () => {
    publish()
    return events.listening() === 1
  }
  await until(publishUntilDisconnected, { timeoutMs: 60_000 })
  await until(() => received.length === published + 1)
  stalled.destroy()
  leaving.abort()
  await over
  await listening.value.stop(1000)
})

test('reports a capture and its job from start to end', async () => {
  const events = createEventBus()
  const received: string[] = []
  events.subscribe(({ event }) => {
    if (event.name === 'job.progress') received.push(`job ${event.state}`)
    else if (event.name !== 'model.progress' && event.name !== 'reset')
      received.push(`${event.name} ${event.status}`)
  })
  await using archive = await openArchive({
    captureEvents: async () => ({ publish: events.publish, announcing() {} }),
  })
  const { id } = await finishedCapture(archive)
  await until(() => received.includes('job completed'))
  await archive.captures.update(id, { starred: true })
  await archive.captures.trash(id)
  await archive.captures.restore(id)
  await archive.captures.remove(id)
  expect(received).toEqual([
    'capture.created pending',
    'job waiting',
    'capture.updated transcribing',
    'job active',
    'capture.updated completed',
    'job completed',
    'capture.updated completed',
    'capture.updated completed',
    'capture.updated completed',
    'capture.deleted null',
  ])
})
