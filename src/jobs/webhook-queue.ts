// Tells the webhook what happened to captures: a queue of its own in pg-boss, tried again until it is taken.
// What one delivery looks like is webhook-request.ts; what is worth telling is said by src/captures.

import type { Capture } from '../captures/capture.ts'
import type { CaptureAnnouncement, CaptureEvents } from '../captures/capture-events.ts'
import type { Clock } from '../lib/clock.ts'
import { createClockWatch } from '../lib/clock-watch.ts'
import type { EventBus } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { newId } from '../lib/uuid.ts'
import { ensureQueue, type Queue, within } from './queue.ts'
import { type DeliveryOutcome, deliver } from './webhook-request.ts'
import { createWebhookSecret } from './webhook-secret.ts'
import { createWorker, type JobAttempt, type JobOutcome } from './worker.ts'

const QUEUE = 'webhook'

/** After 5 seconds, then twice as long each time up to an hour, with chance mixed in: half a day in all. */
const PERSISTENCE: Persistence = { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600 }
export type Persistence = {
  retryLimit: number
  /** seconds */
  retryDelay: number
  retryBackoff?: boolean
  /** seconds */
  retryDelayMax?: number
}
/** No delivery expires while it is under way: it has a time limit of its own. */
const EXPIRE_SECONDS = 3600

export type WebhookDeps = {
  queue: Pick<Queue, 'boss' | 'putBackOthers' | 'dueAgain'>
  dataFolder: string
  settings: { current(): { webhookUrl: string | null } }
  /** what a client of the API would be given */
  wireCapture: (capture: Capture) => object
  events: Pick<EventBus, 'subscribe'>
  clock: Clock
  log: Log
  /** told of every attempt */
  onOutcome?: (outcome: DeliveryOutcome) => void
  timeoutMs?: number
  persistence?: Persistence
}

type Payload = { event: CaptureAnnouncement['event']; captureId: string; createdAt: string }
type Key = Payload & { id: string }

export type Webhooks = {
  /** nothing is queued while no address is set */
  announcing: CaptureEvents['announcing']
  /** takes up what the last run left, and begins to deliver */
  start(captures: { get(id: string): Promise<Capture | null> }): Promise<void>
  /** deliveries under way are tried again by the next run */
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
  const { queue, settings, clock, log } = deps
  const { boss } = queue
  const persistence = deps.persistence ?? PERSISTENCE
  const options = { ...persistence, expireInSeconds: EXPIRE_SECONDS }
  await ensureQueue(boss, QUEUE, options)

  const watch = createClockWatch(clock)
  const longestPauseSeconds = persistence.retryDelayMax ?? persistence.retryDelay

  /** queued and not yet settled, or a few more where a transaction failed: nothing is asked of the database at 0 */
  let outstanding = 0
  const worker = createWorker<Key>({
    async take(limit) {
      if (outstanding === 0) return []
      if (watch.hasJumped()) await queue.dueAgain(QUEUE, longestPauseSeconds)
      const jobs = await boss.fetch<Payload>(QUEUE, { batchSize: limit })
      return jobs.map(({ id, data, retryCount }) => ({
        key: { id, ...data },
        isLast: retryCount >= persistence.retryLimit,
      }))
    },
    async putBackOthers(held) {
      if (outstanding > 0) await queue.putBackOthers(QUEUE, held)
    },
    async settle(id, outcome) {
      if (outcome === 'again') return void (await boss.fail(QUEUE, id))
      await boss.deleteJob(QUEUE, id)
      outstanding--
    },
    log,
  })
  const unsubscribe = deps.events.subscribe(({ event }) => {
    // Told after the commit, so that what was announced in it is there to be taken.
    if (outstanding > 0 && event.name.startsWith('capture.')) worker.wake()
  })

  return {
    announcing({ event, captureId }) {
      if (settings.current().webhookUrl === null) return
      return async (tx) => {
        const now = clock()
        const data: Payload = { event, captureId, createdAt: now.toISOString() }
        await boss.insert(QUEUE, [{ id: newId(now), data }], within(tx))
        outstanding++
      }
    },
    async start(captures) {
      const left = Map.groupBy(await boss.findJobs<Payload>(QUEUE), ({ state }) => state)
      // The caller holds the instance lock: whatever was under way is an orphan.
      const orphans = (left.get('active') ?? []).map(({ id }) => id)
      if (orphans.length > 0) await boss.fail(QUEUE, orphans)
      // The clock may have been ahead when the last run put them off.
      await queue.dueAgain(QUEUE, longestPauseSeconds)
      outstanding += orphans.length + (left.get('created')?.length ?? 0) + (left.get('retry')?.length ?? 0)
      worker.start(createHandler(deps, captures))
    },
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}

function createHandler(deps: WebhookDeps, captures: { get(id: string): Promise<Capture | null> }) {
  const { settings, wireCapture, clock, log, onOutcome, timeoutMs } = deps
  const secret = createWebhookSecret(deps)
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
      secret: await secret(),
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
