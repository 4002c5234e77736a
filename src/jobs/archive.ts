// Opens the captures of the last run and their jobs, in the required order. Starts and ends no job.

import type { CaptureEvents } from '../captures/capture-events.ts'
import { type CapturesDeps, createCaptures } from '../captures/captures.ts'
import { recoverCaptures } from '../captures/recovery.ts'
import { type CaptureJobDeps, createCaptureJob } from './capture-job.ts'
import { createJobs } from './jobs.ts'
import { openQueue, type Queue } from './queue.ts'
import type { ResumeDeps } from './resume.ts'

type Place = Pick<CapturesDeps, 'database' | 'dataFolder' | 'clock' | 'log'>
type Parts<Told extends CaptureEvents> = Place &
  Pick<CapturesDeps, 'decodeAhead' | 'maxQueue'> &
  Pick<CaptureJobDeps, 'dictation' | 'styles' | 'refiner' | 'settings'> &
  Pick<ResumeDeps, 'stayedUpMs'> & {
    inboxFolder: string
    /** event listeners; some of them receive events through the queue */
    openCaptureEvents(queue: Queue): Promise<Told>
  }

export async function openArchive<Told extends CaptureEvents>(parts: Parts<Told>) {
  const { database, dataFolder, inboxFolder, clock, log, decodeAhead, maxQueue } = parts
  const recovered = await recoverCaptures({ database, dataFolder, inboxFolder, clock, log })
  const queue = await openQueue({ database, log })
  const captureEvents = await parts.openCaptureEvents(queue)
  const { publish, announcing } = captureEvents
  const captures = createCaptures({
    database,
    dataFolder,
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
  const jobs = createJobs({ database, queue, captures, handler, log, stayedUpMs: parts.stayedUpMs })
  return { recovery, queue, captureEvents, captures, jobs }
}
