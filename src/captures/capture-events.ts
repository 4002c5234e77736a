// Events of captures: published to listeners in this process, and queued for the webhook.

import type { Orm } from '../../db/database.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Publish } from '../lib/events.ts'
import type { Capture } from './capture.ts'

export const ANNOUNCED_EVENTS = [
  'capture.completed',
  'capture.failed',
  'capture.refined',
  'capture.deleted',
] as const
export type AnnouncedEvent = (typeof ANNOUNCED_EVENTS)[number]

/** An event that an external program receives, however long the delivery takes. */
export type CaptureAnnouncement = { event: AnnouncedEvent; captureId: string }

export type CaptureEvents = {
  /** called after the commit; reaches current listeners only */
  publish: Publish
  /**
   * Queues the announcement in the transaction of the change, so that it is neither lost nor sent for a change that was
   * rolled back; undefined if no webhook is set at the moment of the call
   */
  announcing: (announcement: CaptureAnnouncement) => ((tx: Orm) => Promise<void>) | undefined
}

type Told = Pick<CaptureEvents, 'publish'>

export const tellChanged = ({ publish }: Told, { id, status }: Pick<Capture, 'id' | 'status'>): void =>
  publish({ name: 'capture.updated', captureId: id, status })

type JobStateTold = 'waiting' | 'active' | 'completed' | 'failed' | 'canceled'

/** Publishes the new state of a job. While the job is active, src/jobs publishes its progress. */
export const tellJob = (
  { publish }: Told,
  { id, captureId }: Pick<JobRow, 'id' | 'captureId'>,
  state: JobStateTold,
): void =>
  publish({ name: 'job.progress', jobId: id, captureId, state, progress: state === 'completed' ? 1 : 0 })
