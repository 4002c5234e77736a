// The queue as captures use it, so that they do not depend on pg-boss; src/jobs/queue.ts implements it.

import type { Orm } from '../../db/database.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Capture } from './capture.ts'

/** A job, and the capture whose turn it needs. */
export type JobKey = Pick<JobRow, 'id' | 'captureId'>

/** A started job: its writes count only while this is its newest attempt. */
export type BegunJob = Pick<JobRow, 'id' | 'captureId' | 'attempts'>

export type Delivery = {
  /** Queues waiting jobs in the transaction that wrote their rows. */
  send(tx: Orm, jobs: JobKey[]): Promise<void>
  /** Call it after the commit of a send: wakes the workers. */
  wake(): void
  /** Removes a job from the queue, in the transaction that ended it. */
  withdraw(tx: Orm, jobId: string): Promise<void>
  /** Delivers a job again after a pause, in the transaction that returned it to the queue. */
  retry(tx: Orm, jobId: string): Promise<void>
  /**
   * Call it after the commit that ended a job: stops its handler if it still runs, and wakes the callers that wait for
   * it. `capture` is the state after the job; null if the capture is being deleted.
   */
  ended(jobId: string, capture: Capture | null): void
  /** fires when the server stops: no job may be sent after that */
  closing: AbortSignal
}
