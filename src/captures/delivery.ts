// What captures need of a queue, so that they need not know one: src/jobs/queue.ts is the one there is.
// Holds no behaviour.

import type { Orm } from '../../db/database.ts'

export type Delivery = {
  /** Hands waiting jobs to the workers, in the transaction that wrote their rows. */
  send(tx: Orm, jobIds: string[]): Promise<void>
  /** Said after the commit of a send: lets the workers look. */
  wake(): void
  /** Takes a job from the workers again, likewise. */
  withdraw(tx: Orm, jobId: string): Promise<void>
  /** Said after the commit that ended a job: stops its handler if it still runs, and wakes who waits for it. */
  ended(jobId: string): void
}
