// GET /events: changes of captures, jobs and models as server-sent events.

import { type ArchiveEvent, type EventBus, type NumberedEvent, RETAINED_EVENTS } from '../../lib/events.ts'
import { ticketInQuery } from '../fields/fields.ts'
import { defineRoute, ok, type Route } from '../kernel/route.ts'
import { strictObject } from '../kernel/schema.ts'
import { createEventQueue, eventStream, type StreamedEvent as StreamEvent } from '../server/event-stream.ts'

export type EventsDeps = {
  events: EventBus
  /** identifies this run of the server, because event numbers restart with each run */
  runId: string
  /** fires when the server stops */
  shutdown: AbortSignal
}

const DESCRIPTION = `A stream of server-sent events, each with a name and JSON data:

- \`capture.created\`, \`capture.updated\`, \`capture.deleted\`: \`{capture_id, status}\`; \`status\` is null if the capture is deleted;
- \`job.progress\`: \`{job_id, capture_id, state, progress}\`, at every change of state and at most twice a second in between;
- \`model.progress\`: \`{model_name, status, current, total}\` in bytes; \`total\` is null until it is known;
- \`ready\`: \`{}\`, the first event of a new stream;
- \`reset\`: \`{}\`, the first event of a stream that cannot be resumed, and any time when events of another server on the
  same database may have been missed: load everything again.

Every event has an id. A client that reconnects sends the id of the last event it received as \`Last-Event-ID\` (EventSource
does this automatically) and gets the events since then; after a restart of the server, or after more than
${RETAINED_EVENTS} events, it gets \`reset\`. The server disconnects a client that does not read its events; the client
may resume in the same way. While nothing happens, the server sends a comment every 15 seconds.`

const EXAMPLE = `: connected

id: 5f0c1a2b-17
event: job.progress
data: {"job_id":"019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c12","capture_id":"019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11","state":"active","progress":0.4}

`

/** Limit for a client that does not read: a few thousand events. */
const MAX_UNREAD_BYTES = 512 * 1024

export const eventsRoute = (deps: EventsDeps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/events',
      operationId: 'streamEvents',
      summary: 'Stream events',
      description: DESCRIPTION,
      tag: 'service',
      query: strictObject({ ticket: ticketInQuery }),
      headers: { 'Last-Event-ID': 'the id of the last event that the client received' },
      responses: ok('An endless stream of events', { 'text/event-stream': { example: EXAMPLE } }),
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

/** Null if the missed events are no longer known, or the id is from another run. */
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
    case 'reset':
      return {}
  }
}
