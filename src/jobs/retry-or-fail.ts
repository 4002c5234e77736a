// What becomes of a job that failed: tried again, put back uncounted, or failed for good.
// The texts of failures come from below.

import type { Captures } from '../captures/captures.ts'
import type { BegunJob } from '../captures/delivery.ts'
import type { Log } from '../lib/log.ts'
import type { TranscriptionFailure } from '../transcription/transcribe-recording.ts'
import type { JobAttempt } from './queue.ts'
import type { JobOutcome } from './workers.ts'

/** May succeed when it is tried again; every other failure is the recording's or the model's own. */
const WORTH_ANOTHER_ATTEMPT = new Set<string>([
  'engine_crashed',
  'engine_timeout',
  'decode_timeout',
  'decoder_crashed',
  'speech_detector_failed',
  'disk_full',
  'internal_error',
] satisfies (TranscriptionFailure['code'] | 'internal_error')[])

type RetryDeps = { captures: Pick<Captures, 'work'>; log: Log }

/** `failure.code` is one of transcription's, or `internal_error` */
type FailedJob = { job: BegunJob; attempt: JobAttempt; failure: { code: string; message: string } }

export async function retryOrFail(
  { captures, log }: RetryDeps,
  { job, attempt, failure }: FailedJob,
): Promise<JobOutcome> {
  const { signal, isLast } = attempt
  const { code, message } = failure
  if (signal.aborted && signal.reason === 'canceled') return 'done'
  if (signal.aborted || code === 'engine_closed') {
    await captures.work.putBack(job, { countAttempt: false })
    return 'again'
  }
  log.warn({ jobId: job.id, code, isLast }, 'a job failed')
  if (WORTH_ANOTHER_ATTEMPT.has(code) && !isLast) {
    await captures.work.putBack(job, { countAttempt: true })
    return 'again'
  }
  await captures.work.fail(job, { code, message })
  return 'done'
}
