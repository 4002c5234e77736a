// Server-sent events on the wire, and cleanup after a disconnect.

import { expect, test } from 'bun:test'
import {
  createEventQueue,
  eventStream,
  formatEvent,
  type StreamedEvent,
} from '../../../src/http/server/event-stream.ts'
import { until } from '../../support/until.ts'

const never = new AbortController().signal
const describeError = () => ({ code: 'internal_error' })
const stream = (
  events: (signal: AbortSignal) => AsyncIterable<StreamedEvent>,
  more: { signal?: AbortSignal; shutdown?: AbortSignal; heartbeatMs?: number } = {},
) => eventStream(events, { signal: never, describeError, ...more })

/** Yields nothing until the signal aborts. */
async function* silence(signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

test('preserves line breaks in data, and prevents field injection by names', () => {
  expect(formatEvent({ event: 'a', id: '1', data: 'one\ntwo\r\nthree\rfour' })).toBe(
    'id: 1\nevent: a\ndata: one\ndata: two\ndata: three\ndata: four\n\n',
  )
  expect(formatEvent({ event: 'a\ndata: x', id: '1\r\n\0', data: { text: 'a\nb' } })).toBe(
    'id: 1   \nevent: a data: x\ndata: {"text":"a\\nb"}\n\n',
  )
  expect(formatEvent({ data: '' })).toBe('data: \n\n')
})

test('sends the first bytes before the first event', async () => {
  const left = new AbortController()
  const response = stream(silence, { signal: left.signal })
  const { value } = await response.body!.getReader().read()
  expect(new TextDecoder().decode(value)).toBe(': connected\n\n')
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  left.abort()
})

test('sends events in order and ends the stream after the last one', async () => {
  const response = stream(async function* () {
    yield { event: 'a', data: 1 }
    yield { event: 'b', data: 2 }
  })
  expect(await response.text()).toBe(': connected\n\nevent: a\ndata: 1\n\nevent: b\ndata: 2\n\n')
})

test('turns an exception into an error event without internal details', async () => {
  const response = stream(async function* () {
    yield { data: 1 }
    throw new Error('secret')
  })
  expect(await response.text()).toBe(
    ': connected\n\ndata: 1\n\nevent: error\ndata: {"code":"internal_error"}\n\n',
  )
})

test('sends heartbeats on an idle stream', async () => {
  const left = new AbortController()
  const reader = stream(silence, { signal: left.signal, heartbeatMs: 5 }).body!.getReader()
  await reader.read()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': still here\n\n')
  left.abort()
})

for (const how of ['is cancelled', 'loses its client', 'is ended by the stop of the server']) {
  test(`a stream that ${how} runs the cleanup of its sequence`, async () => {
    const [left, shutdown] = [new AbortController(), new AbortController()]
    let cleanedUp = false
    const response = stream(
      async function* (signal) {
        try {
          yield* silence(signal)
        } finally {
          cleanedUp = true
        }
      },
      { signal: left.signal, shutdown: shutdown.signal },
    )
    const reader = response.body!.getReader()
    await reader.read()
    if (how === 'is cancelled') await reader.cancel()
    else if (how === 'loses its client') left.abort()
    else shutdown.abort()
    await until(() => cleanedUp)
    expect((await reader.read()).done).toBe(true)
  })
}

test('a queue yields events that were pushed before and during iteration', async () => {
  const queue = createEventQueue()
  queue.push({ data: 1 })
  const seen: unknown[] = []
  const reading = (async () => {
    for await (const { data } of queue.events()) {
      seen.push(data)
      if (data === 1) queue.push({ data: 2 })
      if (data === 2) setTimeout(() => queue.push({ data: 3 }))
      if (data === 3) queue.end()
    }
  })()
  await reading
  expect(seen).toEqual([1, 2, 3])
})
