// What captures tell of themselves: to whoever listens in this process, and to the queue of announcements outside.
// Who listens and what becomes of an announcement is not known here.

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

/** Something a person's own program may want to be told of, however long that takes. */
export type CaptureAnnouncement = { event: AnnouncedEvent; captureId: string }

export type CaptureEvents = {
  /** said after the commit, to whoever listens at this moment */
  publish: Publish
  /**
   * What says it, in the transaction that makes it true, so that it is neither lost nor told of something undone;
   * undefined where nobody outside wants to be told at the moment of asking
   */
  announcing: (announcement: CaptureAnnouncement) => ((tx: Orm) => Promise<void>) | undefined
}

type Told = Pick<CaptureEvents, 'publish'>

export const tellChanged = ({ publish }: Told, { id, status }: Pick<Capture, 'id' | 'status'>): void =>
  publish({ name: 'capture.updated', captureId: id, status })

type JobStateTold = 'waiting' | 'active' | 'completed' | 'failed' | 'canceled'

/** A job that has just come into this state; while it is active, src/jobs tells how far it is. */
export const tellJob = (
  { publish }: Told,
  { id, captureId }: Pick<JobRow, 'id' | 'captureId'>,
  state: JobStateTold,
): void =>
  publish({ name: 'job.progress', jobId: id, captureId, state, progress: state === 'completed' ? 1 : 0 })
