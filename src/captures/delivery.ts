// What captures need of a queue, so that they need not know one: src/jobs/queue.ts is the one there is.
// Holds no behaviour.

import type { Orm } from '../../db/database.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Capture } from './capture.ts'

/** A job, and the capture whose turn it needs. */
export type JobKey = Pick<JobRow, 'id' | 'captureId'>

/** A job that was begun: what it writes counts only while this is its newest attempt. */
export type BegunJob = Pick<JobRow, 'id' | 'captureId' | 'attempts'>

export type Delivery = {
  /** Hands waiting jobs to the workers, in the transaction that wrote their rows. */
  send(tx: Orm, jobs: JobKey[]): Promise<void>
  /** Said after the commit of a send: lets the workers look. */
  wake(): void
  /** Takes a job from the workers again, likewise: in the transaction that ended it. */
  withdraw(tx: Orm, jobId: string): Promise<void>
  /** Delivers a job again after a pause, likewise: in the transaction that put it back. */
  retry(tx: Orm, jobId: string): Promise<void>
  /**
   * Said after the commit that ended a job: stops its handler if it still runs, and wakes who waits for it.
   * `capture` is as the end of the job left it; null where it goes away.
   */
  ended(jobId: string, capture: Capture | null): void
  /** fires when the server stops: nothing is to be sent any more */
  closing: AbortSignal
}
