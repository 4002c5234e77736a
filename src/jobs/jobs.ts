// Jobs as http/ and server.ts use them: start and stop the work, look at it, wait for it, cancel it.
// Making one belongs to captures; doing one is capture-job.ts.

import { countUnfinishedJobs, findJob, listJobs, type QueueCounts } from '../../db/jobs.ts'
import { isId } from '../lib/uuid.ts'
import type { Job } from './job.ts'
import type { Ending, WaitOptions } from './job-completions.ts'
import type { JobHandler } from './queue.ts'
import { type ResumeDeps, resumeJobs } from './resume.ts'

export type JobQuery = {
  state?: Job['state'] | undefined
  captureId?: string | undefined
  limit: number
  offset: number
}

export type Jobs = {
  /** takes up what the last run left, and begins to work */
  start(): Promise<void>
  /** puts running jobs back into the queue */
  stop(): Promise<void>
  get(id: string): Promise<Job | null>
  /** newest first */
  list(query: JobQuery): Promise<{ items: Job[]; total: number }>
  counts(): Promise<QueueCounts>
  /** how it left its capture; null when it has not ended in time */
  wait(id: string, patience: WaitOptions): Promise<Ending | null>
  /** what `{{clipboard}}` is to stand for in the text of a job that has just been queued; it is kept nowhere */
  giveClipboard(id: string, text: string): void
  /** false where it is over already or unknown */
  cancel(id: string): Promise<boolean>
}

type Deps = ResumeDeps & { handler: JobHandler }

export function createJobs({ handler, ...deps }: Deps): Jobs {
  const { database, queue, captures } = deps
  const get = async (id: string): Promise<Job | null> => {
    return isId(id) ? database.run((orm) => findJob(orm, id)) : null
  }
  return {
    async start() {
      await resumeJobs(deps)
      await queue.work(handler)
    },
    stop: () => queue.stop(),
    get,
    async list({ state, captureId, limit, offset }) {
      if (captureId !== undefined && !isId(captureId)) return { items: [], total: 0 }
      const filter = { states: state ? [state] : null, captureId: captureId ?? null, limit, offset }
      const { rows, total } = await database.run((orm) => listJobs(orm, filter))
      return { items: rows, total }
    },
    counts: () => database.run(countUnfinishedJobs),
    wait: (id, patience) => queue.completions.wait(id, patience),
    giveClipboard: (id, text) => queue.completions.giveClipboard(id, text),
    async cancel(id) {
      const job = await get(id)
      return job !== null && (await captures.cancel(job.captureId, id)) === id
    },
  }
}
