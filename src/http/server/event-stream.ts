// Server-sent events: from an async sequence of events to a response.
// Knows the wire format and the end of a stream, not what the events mean.

export type StreamedEvent = {
  /** absent for a plain message */
  event?: string
  id?: string
  /** objects become JSON; text may have line breaks */
  data: unknown
}

export type EventStreamOptions = {
  /** the client's; its abort ends the sequence */
  signal: AbortSignal
  /** ends the sequence when the server stops; the stream ends with it */
  shutdown?: AbortSignal
  heartbeatMs?: number
  /** a client that leaves more than this unread is disconnected; by default it may leave anything */
  maxUnreadBytes?: number
  /** what the last event says when the sequence throws; the exception itself is never told */
  describeError: (error: unknown) => unknown
}

/** Shorter than what proxies and clients commonly give up after. */
const HEARTBEAT_MS = 15_000

/**
 * Streams the events as they come. The sequence gets a signal that fires when the client has gone or the
 * server stops; it should end then, and its `finally` blocks run. A throw becomes an `error` event.
 */
export function eventStream(
  events: (signal: AbortSignal) => AsyncIterable<StreamedEvent>,
  options: EventStreamOptions,
): Response {
  const cancelled = new AbortController()
  const gone = AbortSignal.any([cancelled.signal, options.signal])
  const ending = options.shutdown ? AbortSignal.any([gone, options.shutdown]) : gone
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      void pump(controller, events(ending), gone, options)
    },
    cancel() {
      cancelled.abort()
    },
  }
  const stream = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }))
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

async function pump(
  controller: ReadableStreamDefaultController<Uint8Array>,
  events: AsyncIterable<StreamedEvent>,
  gone: AbortSignal,
  {
    heartbeatMs = HEARTBEAT_MS,
    maxUnreadBytes = Number.POSITIVE_INFINITY,
    describeError,
  }: EventStreamOptions,
): Promise<void> {
  const encoder = new TextEncoder()
  let open = true
  const send = (text: string) => {
    if (!open) return
    controller.enqueue(encoder.encode(text))
    // What nobody takes is kept in memory.
    if (-(controller.desiredSize ?? 0) > maxUnreadBytes) close()
  }
  const close = () => {
    if (!open) return
    open = false
    clearInterval(heartbeat)
    // A cancelled stream is closed already, and says so by throwing.
    try {
      controller.close()
    } catch {}
  }
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMs)
  // Nobody reads any more: no need to wait until the sequence has noticed. A stop of the server does wait.
  gone.addEventListener('abort', close, { once: true })
  if (gone.aborted) close()
  // Headers travel with the first bytes, so that the client knows at once that it is connected. A comment, since a field
  // followed by a blank line is an event without data to some readers, such as OpenAI's Python client.
  send(': connected\n\n')
  try {
    for await (const event of events) {
      if (!open) break
      send(formatEvent(event))
    }
  } catch (error) {
    send(formatEvent({ event: 'error', data: describeError(error) }))
  } finally {
    gone.removeEventListener('abort', close)
    close()
  }
}

/** One event in wire form. Line breaks in data become several lines; in names they would forge fields. */
export function formatEvent({ event, id, data }: StreamedEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  const field = (name: string, value: string | undefined) =>
    value === undefined ? '' : `${name}: ${value.replace(/[\r\n\0]/g, ' ')}\n`
  return `${field('id', id)}${field('event', event)}${lines.join('')}\n`
}
