// Jobs for http/ and server.ts: start and stop the work, list jobs, wait for one, cancel one.

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
  /** resumes the jobs of the last run and starts working */
  start(): Promise<void>
  /** returns running jobs to the queue */
  stop(): Promise<void>
  get(id: string): Promise<Job | null>
  /** newest first */
  list(query: JobQuery): Promise<{ items: Job[]; total: number }>
  counts(): Promise<QueueCounts>
  /** the state in which it left its capture; null on a timeout */
  wait(id: string, patience: WaitOptions): Promise<Ending | null>
  /** the text for `{{clipboard}}` in a job that was just queued; never stored */
  giveClipboard(id: string, text: string): void
  /** false if it has ended or is unknown */
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
