// Server-sent events: turns an async iterable of events into a response, with a bounded queue for slow readers.

export type StreamedEvent = {
  /** absent for an unnamed message */
  event?: string
  id?: string
  /** objects are sent as JSON; text may have line breaks */
  data: unknown
}

export type EventStreamOptions = {
  /** of the request; aborting it ends the sequence */
  signal: AbortSignal
  /** ends the sequence, and then the stream, when the server stops */
  shutdown?: AbortSignal
  heartbeatMs?: number
  /** a client that leaves more than this unread is disconnected; no limit by default */
  maxUnreadBytes?: number
  /** the data of the last event if the sequence throws; the exception itself is never sent */
  describeError: (error: unknown) => unknown
}

/** Shorter than the usual idle timeouts of proxies and clients. */
const HEARTBEAT_MS = 15_000

/**
 * Streams the events as they arrive. The sequence receives a signal that aborts when the client disconnects or the
 * server stops; it should end then. An exception becomes an `error` event.
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
    // Unread bytes are held in memory.
    if (-(controller.desiredSize ?? 0) > maxUnreadBytes) close()
  }
  const close = () => {
    if (!open) return
    open = false
    clearInterval(heartbeat)
    // Throws if the stream was cancelled.
    try {
      controller.close()
    } catch {}
  }
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMs)
  // After a disconnect, close at once instead of waiting for the sequence to end. A stop of the server does wait.
  gone.addEventListener('abort', close, { once: true })
  if (gone.aborted) close()
  // Bun sends the headers with the first bytes, so this tells the client at once that it is connected. It is a comment,
  // because some clients (OpenAI's Python client) parse a field and a blank line as an event without data.
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

/** One event in wire format. Line breaks in data become several `data` lines; in names they would inject fields. */
export function formatEvent({ event, id, data }: StreamedEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  const field = (name: string, value: string | undefined) =>
    value === undefined ? '' : `${name}: ${value.replace(/[\r\n\0]/g, ' ')}\n`
  return `${field('id', id)}${field('event', event)}${lines.join('')}\n`
}

export function createEventQueue() {
  const waiting: StreamedEvent[] = []
  let ended = false
  let wake = Promise.withResolvers<void>()
  return {
    push(event: StreamedEvent): void {
      waiting.push(event)
      wake.resolve()
    },
    end(): void {
      ended = true
      wake.resolve()
    },
    /** for one consumer */
    async *events(): AsyncGenerator<StreamedEvent, void, undefined> {
      for (;;) {
        yield* waiting.splice(0)
        if (waiting.length > 0) continue
        if (ended) return
        await wake.promise
        wake = Promise.withResolvers<void>()
      }
    },
  }
}
