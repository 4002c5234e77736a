// Notifies the webhook of what happens to captures: a queue of its own in pg-boss, whose deliveries are signed POST
// requests and are retried until the receiver accepts them. Which events there are is src/captures.

import { createHmac } from 'node:crypto'
import type { Capture } from '../captures/capture.ts'
import type { CaptureAnnouncement, CaptureEvents } from '../captures/capture-events.ts'
import type { Clock } from '../lib/clock.ts'
import type { EventBus } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { newId } from '../lib/uuid.ts'
import type { Library } from '../library/library.ts'
import { type JobAttempt, LONG_DUE, type Queue, within } from './queue.ts'
import type { Handling, JobOutcome } from './workers.ts'

const QUEUE = 'webhook'

/** After 5 seconds, then twice as long each time up to an hour, with chance mixed in: half a day in all. */
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
/** How often to look for deliveries whose pause is over. */
const LOOK_MS = 5000
/** The most that pg-boss lists at once. */
const LISTED = 100_000

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
  /** the next run retries deliveries under way */
  stop(): Promise<void>
}

/**
 * Deliveries wait in the database and carry ids alone: what is sent is the capture as it stands then, and a capture
 * that was deleted meanwhile is not told of any more, but for its deletion. Several are under way at once, so they may
 * arrive out of order, and twice when the server is stopped at the wrong moment; their ids tell.
 *
 * Each attempt goes to the address that is set at that moment: those that wait when it is changed go to the new one,
 * and when none is set any more they are dropped.
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

  /** The ids of what the last run left to be retried. */
  async function takeUp(): Promise<string[]> {
    const left = await boss.findJobs<Payload>(QUEUE, { limit: LISTED })
    // The caller holds the instance lock, so nothing is being delivered.
    const orphans = left.filter(({ state }) => state === 'active').map(({ id }) => id)
    if (orphans.length > 0) await boss.fail(QUEUE, orphans)
    const retried = left.filter(({ state }) => state === 'retry')
    const latest = clock().getTime() + 1000 * (options.retryDelayMax ?? options.retryDelay)
    // The clock may have been ahead when they were put off.
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
    if (outcome === 'gone') log.info(where, 'the webhook does not want this any more')
    else log.warn({ ...where, isLast: attempt.isLast }, 'the webhook did not take a delivery')
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
      // The user agreed to this address, not to where a redirect leads.
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
