// Webhook deliveries: a separate pg-boss queue of signed POST requests, retried until the receiver accepts them.

import { createHmac } from 'node:crypto'
import type { Capture, CaptureAnnouncement, CaptureEvents } from '../captures/capture.ts'
import type { Clock } from '../lib/clock.ts'
import type { EventBus } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { newId } from '../lib/uuid.ts'
import type { Library } from '../library/library.ts'
import { type JobAttempt, LONG_DUE, MAX_LISTED, type Queue, within } from './queue.ts'
import type { Handling, JobOutcome } from './workers.ts'

const QUEUE = 'webhook'

/** After 5 seconds, then doubling up to an hour, with jitter: half a day in all. */
const PERSISTENCE: Persistence = { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 }
type Persistence = {
  retryLimit: number
  /** seconds */
  retryDelay: number
  retryBackoff?: boolean
  /** seconds */
  retryDelayMax?: number
}
const SLOTS = 4
/** How often to check for deliveries whose pause has ended. */
const LOOK_MS = 5000

export type WebhookDeps = {
  queue: Pick<Queue, 'boss' | 'openWorkers'>
  /** signs the deliveries */
  library: Pick<Library, 'webhookKey'>
  settings: { current(): { webhookUrl: string | null } }
  /** as the API returns it */
  wireCapture: (capture: Capture) => object
  events: Pick<EventBus, 'subscribe'>
  clock: Clock
  log: Log
  /** called after every attempt */
  onOutcome?: (outcome: DeliveryOutcome) => void
  timeoutMs?: number
  persistence?: Persistence
}

type Payload = { event: CaptureAnnouncement['event']; captureId: string; createdAt: string }
type Key = Payload & { id: string }

export type Webhooks = {
  /** nothing is queued while no address is set */
  announcing: CaptureEvents['announcing']
  /** resumes the deliveries of the last run */
  start(captures: { get(id: string): Promise<Capture | null> }): Promise<void>
  /** deliveries in flight are retried by the next run */
  stop(): Promise<void>
}

/**
 * Deliveries are stored with ids only: each attempt sends the current state of the capture. A capture that was deleted
 * meanwhile sends nothing except its deletion. Several deliveries are in flight at once, so they may arrive out of
 * order, and twice if the server stops at the wrong moment; receivers can tell by the id.
 *
 * Each attempt goes to the current address: after a change the waiting deliveries go to the new one, and without an
 * address they are dropped.
 */
export async function openWebhooks(deps: WebhookDeps): Promise<Webhooks> {
  const { queue, settings, clock } = deps
  const { boss } = queue
  const options = deps.persistence ?? PERSISTENCE
  const workers = await queue.openWorkers<Payload>({ name: QUEUE, options, slots: SLOTS, lookMs: LOOK_MS })

  const unsubscribe = deps.events.subscribe(({ event }) => {
    // Published after the commit of the delivery.
    if (settings.current().webhookUrl !== null && event.name.startsWith('capture.')) workers.wake()
  })

  /** The ids of deliveries that the last run left for a retry. */
  async function takeUp(): Promise<string[]> {
    const left = await boss.findJobs<Payload>(QUEUE, { limit: MAX_LISTED })
    // The caller holds the instance lock, so nothing is being delivered.
    const orphans = left.filter(({ state }) => state === 'active').map(({ id }) => id)
    if (orphans.length > 0) await boss.fail(QUEUE, orphans)
    const retried = left.filter(({ state }) => state === 'retry')
    const latest = clock().getTime() + 1000 * (options.retryDelayMax ?? options.retryDelay)
    // The clock may have been ahead when they were postponed.
    for (const { id, startAfter } of retried)
      if (startAfter.getTime() > latest) await boss.update(QUEUE, undefined, { id, startAfter: 0 })
    return [...orphans, ...retried.map(({ id }) => id)]
  }

  return {
    announcing({ event, captureId }) {
      if (settings.current().webhookUrl === null) return
      return async (tx) => {
        const now = clock()
        const data: Payload = { event, captureId, createdAt: now.toISOString() }
        await boss.insert(QUEUE, [{ id: newId(now), data, ...LONG_DUE }], within(tx))
      }
    },
    async start(captures) {
      const handler = createHandler(deps, captures)
      const handling: Handling<Payload> = {
        handle: ({ id, data, retryCount }, signal) =>
          handler({ id, ...data }, { signal, isLast: retryCount >= options.retryLimit }),
        async settle(id, outcome) {
          await (outcome === 'again' ? boss.fail(QUEUE, id) : boss.deleteJob(QUEUE, id))
        },
      }
      await workers.start(handling, await takeUp())
    },
    async stop() {
      unsubscribe()
      await workers.stop()
    },
  }
}

function createHandler(deps: WebhookDeps, captures: { get(id: string): Promise<Capture | null> }) {
  const { library, settings, wireCapture, clock, log, onOutcome, timeoutMs } = deps
  return async ({ id, event, captureId, createdAt }: Key, attempt: JobAttempt): Promise<JobOutcome> => {
    const capture = event === 'capture.deleted' ? null : await captures.get(captureId)
    const { webhookUrl: url } = settings.current()
    if (url === null || (capture === null && event !== 'capture.deleted')) return 'done'
    const body = {
      id,
      event,
      created_at: createdAt,
      capture_id: captureId,
      capture: capture && wireCapture(capture),
    }
    const { outcome, status } = await deliver({
      url,
      body,
      secret: await library.webhookKey(),
      now: clock(),
      signal: attempt.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    if (attempt.signal.aborted && outcome === 'unreachable') return 'again'
    onOutcome?.(outcome)
    if (outcome === 'delivered') return 'done'
    const where = { deliveryId: id, captureId, event, status }
    if (outcome === 'gone') log.info(where, 'the webhook responded 410; dropped the delivery')
    else log.warn({ ...where, isLast: attempt.isLast }, 'the webhook did not accept a delivery')
    return outcome === 'gone' || attempt.isLast ? 'done' : 'again'
  }
}

const SIGNATURE_HEADER = 'x-dictation-signature'

/** A receiver that has not begun to respond by then has not accepted the delivery. */
const TIMEOUT_MS = 10_000

/** `gone`: the receiver responded with 410. */
type DeliveryOutcome = 'delivered' | 'gone' | 'refused' | 'unreachable'

type WebhookRequest = {
  url: string
  secret: string
  /** sent as JSON */
  body: { id: string; event: string }
  /** the time in the signature */
  now: Date
  signal: AbortSignal
  timeoutMs?: number
}

/** Never throws. `status` is null without a response; the body of a response is not read. */
async function deliver(
  request: WebhookRequest,
): Promise<{ outcome: DeliveryOutcome; status: number | null }> {
  const { url, secret, body, now, signal, timeoutMs = TIMEOUT_MS } = request
  const text = JSON.stringify(body)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'local-dictation',
        'x-dictation-event': body.event,
        'x-dictation-delivery': body.id,
        [SIGNATURE_HEADER]: signature(secret, text, now),
      },
      body: text,
      // The user approved this address, not the target of a redirect.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel().catch(() => {})
    const { status } = response
    if (status >= 200 && status < 300) return { outcome: 'delivered', status }
    return { outcome: status === 410 ? 'gone' : 'refused', status }
  } catch {
    return { outcome: 'unreachable', status: null }
  }
}

/**
 * `t=<seconds since 1970>,v1=<HMAC-SHA256 in hex>`, over the time, a full stop and the body as sent: a receiver that
 * compares the time with its own clock detects a replayed delivery.
 */
function signature(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${code}`
}
