// One job on a capture, whatever its kind: begun, done, and its failure settled.
// Which failures are worth another attempt is decided here; the texts of failures come from below.

import type { JobKey } from '../captures/delivery.ts'
import type { JobWork } from '../captures/job-work.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { TranscriptionFailure } from '../transcription/transcribe-recording.ts'
import { refineCapture } from './refine-capture.ts'
import { type TranscribeJobDeps, transcribeCapture } from './transcribe-capture.ts'
import type { JobAttempt, JobHandler } from './worker.ts'

type Failure = { code: string; message: string }

export type CaptureJobDeps = TranscribeJobDeps

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

export function createCaptureJob(deps: CaptureJobDeps): JobHandler {
  const { captures, log } = deps
  return async (key, attempt) => {
    const work = await captures.work.begin(key)
    if (work === null) return 'done'
    const { job } = work
    const where = { jobId: job.id, captureId: job.captureId, kind: job.kind }
    try {
      log.debug({ phase: 'decoding', ...where }, 'begun')
      const written = await perform(deps, work, attempt.signal)
      if (!written.ok) return await settleFailure(deps, { job, attempt, failure: written.failure })
      if (written.value) log.info({ phase: 'completed', ...where }, 'the capture has its text')
      return 'done'
    } catch (error) {
      log.error({ ...where, reason: error instanceof Error ? error.message : String(error) }, 'a job broke')
      const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
      return settleFailure(deps, { job, attempt, failure })
    }
  }
}

async function perform(
  deps: CaptureJobDeps,
  work: JobWork,
  signal: AbortSignal,
): Promise<Result<boolean, Failure>> {
  switch (work.job.kind) {
    case 'transcribe':
    case 'retranscribe':
      return transcribeCapture(deps, work, signal)
    case 'refine':
      return succeed(await refineCapture(deps, work, signal))
  }
}

type Settlement = { job: JobKey; attempt: JobAttempt; failure: Failure }

async function settleFailure(
  { captures, log }: CaptureJobDeps,
  { job, attempt, failure }: Settlement,
): Promise<'done' | 'again'> {
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
