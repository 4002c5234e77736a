// GET /events: what happens in the server, as server-sent events for whoever watches.
// Where events come from is src/lib/events.ts; the wire format of a stream is server/event-stream.ts.

import { type ArchiveEvent, type EventBus, type NumberedEvent, RETAINED_EVENTS } from '../../lib/events.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { ticketInQuery } from '../fields/ticket.ts'
import { createEventQueue } from '../server/event-queue.ts'
import { eventStream, type StreamedEvent as StreamEvent } from '../server/event-stream.ts'

export type EventsDeps = {
  events: EventBus
  /** tells this run of the server from others: numbers of events begin anew with each */
  runId: string
  /** fires when the server stops */
  shutdown: AbortSignal
}

const DESCRIPTION = `A stream of server-sent events, each with a name and JSON data:

- \`capture.created\`, \`capture.updated\`, \`capture.deleted\`: \`{capture_id, status}\`, \`status\` null where it is deleted;
- \`job.progress\`: \`{job_id, capture_id, state, progress}\`, at every change of state and at most twice a second between;
- \`model.progress\`: \`{model_name, status, current, total}\` in bytes, \`total\` null until it is known;
- \`ready\`: \`{}\`, first of all where nothing is to be continued;
- \`reset\`: \`{}\`, in its place where the stream cannot be continued: something may have been missed, so look anew.

Every event has an id. A client that reconnects sends the last one it saw as \`Last-Event-ID\` (EventSource does so by
itself) and gets what came since; after a restart of the server, or after more than ${RETAINED_EVENTS} events, it gets \`reset\`.
A client that does not read what it is sent is disconnected, and may continue in the same way. While nothing happens, a
comment comes every 15 seconds.`

const EXAMPLE = `: connected

id: 5f0c1a2b-17
event: job.progress
data: {"job_id":"019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c12","capture_id":"019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11","state":"active","progress":0.4}

`

/** What a client that does not read may leave unread; a few thousand events. */
const MAX_UNREAD_BYTES = 512 * 1024

export const eventsRoute = (deps: EventsDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/events',
      operationId: 'streamEvents',
      summary: 'Watch what happens',
      description: DESCRIPTION,
      tag: 'service',
      query: strictObject({ ticket: ticketInQuery }),
      headers: { 'Last-Event-ID': 'the id of the last event that was seen' },
      responses: {
        200: {
          description: 'Events, without an end',
          content: { 'text/event-stream': { example: EXAMPLE } },
        },
      },
    },
    (request) => {
      const lastSeen = request.headers.get('last-event-id')
      return eventStream((signal) => follow(deps, lastSeen, signal), {
        signal: request.signal,
        shutdown: deps.shutdown,
        maxUnreadBytes: MAX_UNREAD_BYTES,
        describeError: () => ({}),
      })
    },
  )

async function* follow(
  { events, runId }: EventsDeps,
  lastSeen: string | null,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const queue = createEventQueue()
  const id = (number: number) => `${runId}-${number}`
  const push = ({ number, event }: NumberedEvent) =>
    queue.push({ id: id(number), event: event.name, data: wireEvent(event) })

  const missed = lastSeen === null || lastSeen === '' ? null : missedSince(events, runId, lastSeen)
  if (missed === null) queue.push({ id: id(events.last()), event: lastSeen ? 'reset' : 'ready', data: {} })
  else for (const one of missed) push(one)

  const unsubscribe = events.subscribe(push)
  signal.addEventListener('abort', queue.end, { once: true })
  if (signal.aborted) queue.end()
  try {
    yield* queue.events()
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', queue.end)
  }
}

/** Null where that is not known, or the id is none of this run. */
function missedSince(events: EventBus, runId: string, lastSeen: string): NumberedEvent[] | null {
  const number = lastSeen.startsWith(`${runId}-`) ? lastSeen.slice(runId.length + 1) : ''
  return /^\d{1,15}$/.test(number) ? events.since(Number(number)) : null
}

function wireEvent(event: ArchiveEvent): object {
  switch (event.name) {
    case 'capture.created':
    case 'capture.updated':
    case 'capture.deleted':
      return { capture_id: event.captureId, status: event.status }
    case 'job.progress': {
      const { jobId, captureId, state, progress } = event
      return { job_id: jobId, capture_id: captureId, state, progress }
    }
    case 'model.progress': {
      const { modelName, status, current, total } = event
      return { model_name: modelName, status, current, total }
    }
  }
}
