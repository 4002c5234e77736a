// Jobs for http/ and server.ts: open the captures with their queue, resume what the last run left, start and stop the
// work, list jobs, wait for one, cancel one.

import { type Static, Type } from '@sinclair/typebox'
import {
  countUnfinishedJobs,
  findJob,
  findWarnings,
  isAnyUnfinished,
  listJobs,
  type QueueCounts,
  queuedAudioSeconds,
  unfinishedAmong,
} from '../../db/jobs.ts'
import { jobs } from '../../db/schema.ts'
import { CaptureErrorSchema, type CaptureEvents, type Ending } from '../captures/capture.ts'
import { type CapturesDeps, createCaptures } from '../captures/captures.ts'
import { recoverCaptures } from '../captures/recovery.ts'
import { nullable, oneOf, uuid } from '../lib/schema.ts'
import { isId } from '../lib/uuid.ts'
import { type CaptureJobDeps, createCaptureJob } from './capture-job.ts'
import { ENDED_ELSEWHERE, type WaitOptions } from './completions.ts'
import { type JobHandler, openQueue, type Queue, RECOVER_SECONDS } from './queue.ts'
import { type ResumeDeps, resumeJobs } from './resume.ts'
import type { ServerIdentity, WorkerStatus } from './servers.ts'

export const JobSchema = Type.Object({
  id: uuid(),
  kind: oneOf(jobs.kind.enumValues),
  captureId: uuid(),
  captureTitle: nullable(Type.String(), {
    description:
      'title of the recording: the one that the user set, else the file name, else the beginning of its text; null if it has none of them',
  }),
  state: oneOf(jobs.state.enumValues),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  attempts: Type.Integer({ minimum: 0, description: 'how often it was started' }),
  error: nullable(CaptureErrorSchema),
  createdAt: Type.Date(),
  startedAt: nullable(Type.Date()),
  finishedAt: nullable(Type.Date()),
})
export type Job = Static<typeof JobSchema>

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
  /** of the recordings that wait, as far as known */
  waitingAudioSeconds(): Promise<number>
  /** the state in which it left its capture; null on a timeout */
  wait(id: string, patience: WaitOptions): Promise<Ending | null>
  /** the text for `{{clipboard}}` in a job that was just queued; never stored */
  giveClipboard(id: string, text: string): void
  /** false if it has ended or is unknown */
  cancel(id: string): Promise<boolean>
  /** the live servers and workers */
  workers(): Promise<WorkerStatus[]>
}

/** How often a server looks whether another has ended a job: the notification may be lost. */
const LOOK_MS = 2000
/** A delivery of a webhook may be in the hands of a dead server while no job is left: every five minutes. */
const RECOVER_ANYWAY = 300 / RECOVER_SECONDS

type Deps = ResumeDeps & { handler: JobHandler }

function createJobs({ handler, ...deps }: Deps): Jobs {
  const { database, queue, captures } = deps
  const get = async (id: string): Promise<Job | null> => {
    return isId(id) ? database.run((orm) => findJob(orm, id)) : null
  }
  /** For jobs that run here, or that a request waits for. */
  async function lookForEnds(): Promise<void> {
    const ids = queue.attended()
    if (ids.length === 0) return
    const left = await database.run((orm) => unfinishedAmong(orm, ids))
    for (const id of ids) if (!left.has(id)) queue.ended(id, ENDED_ELSEWHERE)
  }
  let looks = 0
  const recover = async () => {
    const isDue = looks++ % RECOVER_ANYWAY === 0
    if (isDue || (await database.run(isAnyUnfinished))) await queue.recover()
  }
  function every(ms: number, look: () => Promise<void>): Timer {
    let isLooking = false
    return setInterval(async () => {
      if (isLooking) return
      isLooking = true
      // The database may be away; the next round follows.
      await look().catch(() => {})
      isLooking = false
    }, ms)
  }

  let timers: Timer[] = []
  return {
    async start() {
      await resumeJobs(deps)
      await queue.work(handler)
      if (database.kind === 'external')
        timers = [every(LOOK_MS, lookForEnds), every(RECOVER_SECONDS * 1000, recover)]
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      return queue.stop()
    },
    get,
    async list({ state, captureId, limit, offset }) {
      if (captureId !== undefined && !isId(captureId)) return { items: [], total: 0 }
      const filter = { states: state ? [state] : null, captureId: captureId ?? null, limit, offset }
      const { rows, total } = await database.run((orm) => listJobs(orm, filter))
      return { items: rows, total }
    },
    counts: () => database.run(countUnfinishedJobs),
    waitingAudioSeconds: () => database.run(queuedAudioSeconds),
    async wait(id, patience) {
      const ending = await queue.completions.wait(id, patience)
      if (ending !== ENDED_ELSEWHERE) return ending
      return { capture: null, warnings: await database.run((orm) => findWarnings(orm, id)) }
    },
    workers: () => queue.servers(),
    giveClipboard: (id, text) => queue.completions.giveClipboard(id, text),
    async cancel(id) {
      const job = await get(id)
      return job !== null && (await captures.cancel(job.captureId, id)) === id
    },
  }
}

type Place = Pick<CapturesDeps, 'database' | 'dataFolder' | 'store' | 'clock' | 'log'>
type Parts<Opened extends CaptureEvents> = Place &
  Pick<CapturesDeps, 'decodeAhead' | 'maxQueue'> &
  Pick<CaptureJobDeps, 'dictation' | 'styles' | 'refiner' | 'settings'> &
  Pick<ResumeDeps, 'stayedUpMs' | 'isJoining'> & {
    inboxFolder: string
    /** under which an external database registers this server */
    identity?: ServerIdentity | undefined
    /** event listeners; some of them receive events through the queue */
    openCaptureEvents(queue: Queue): Promise<Opened>
  }

export async function openArchive<Opened extends CaptureEvents>(parts: Parts<Opened>) {
  const { database, dataFolder, store, inboxFolder, clock, log, decodeAhead, maxQueue } = parts
  const recovered = await recoverCaptures({ database, dataFolder, store, inboxFolder, clock, log })
  const queue = await openQueue({ database, log, identity: parts.identity })
  const captureEvents = await parts.openCaptureEvents(queue)
  const { publish, announcing } = captureEvents
  const captures = createCaptures({
    database,
    dataFolder,
    store,
    inboxFolder,
    clock,
    log,
    publish,
    announcing,
    maxQueue,
    delivery: queue,
    ...(decodeAhead && { decodeAhead }),
  })
  const recovery = { ...recovered, adopted: recovered.adopted + (await captures.takeInbox()) }
  const { dictation, styles, refiner, settings } = parts
  const handler = createCaptureJob({
    captures,
    database,
    dictation,
    styles,
    refiner,
    settings,
    log,
    publish,
    completions: queue.completions,
  })
  const { isJoining = false, stayedUpMs } = parts
  const jobs = createJobs({ database, isJoining, queue, captures, handler, log, stayedUpMs })
  return { recovery, queue, captureEvents, captures, jobs }
}
