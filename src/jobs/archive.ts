// The captures as the last run left them and the jobs on them, opened in the one order that is right.
// Who works on the texts and who is told of what happens is given; no job runs yet, and none is ended here.

import { type CapturesDeps, createCaptures } from '../captures/captures.ts'
import type { Happenings } from '../captures/happenings.ts'
import { recoverCaptures } from '../captures/recovery.ts'
import { type CaptureJobDeps, createCaptureJob } from './capture-job.ts'
import { createJobs } from './jobs.ts'
import { openQueue, type Queue } from './queue.ts'

type Place = Pick<CapturesDeps, 'database' | 'dataFolder' | 'clock' | 'log'>
type Parts<Told extends Happenings> = Place &
  Pick<CapturesDeps, 'decodeAhead' | 'maxQueue'> &
  Pick<CaptureJobDeps, 'dictation' | 'styles' | 'refiner' | 'settings'> & {
    incomingFolder: string
    /** those who are told of what happens; some of them through the queue */
    openHappenings(queue: Queue): Promise<Told>
  }

export async function openArchive<Told extends Happenings>(parts: Parts<Told>) {
  const { database, dataFolder, incomingFolder, clock, log, decodeAhead, maxQueue } = parts
  const recovery = await recoverCaptures({ database, dataFolder, incomingFolder, clock, log })
  const queue = await openQueue({ database, log })
  const happenings = await parts.openHappenings(queue)
  const { publish, announcing } = happenings
  const captures = createCaptures({
    ...{ database, dataFolder, clock, log, publish, announcing, maxQueue },
    ...{ delivery: queue, ...(decodeAhead && { decodeAhead }) },
  })
  const { dictation, styles, refiner, settings } = parts
  const handler = createCaptureJob({
    ...{ captures, database, dictation, styles, refiner, settings, log, publish },
    endings: queue.endings,
  })
  const jobs = createJobs({ database, queue, captures, handler, log })
  return { recovery, queue, happenings, captures, jobs }
}
