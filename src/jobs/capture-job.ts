// One job on a capture, whatever its kind: begun, and done.
// Knows nothing about what becomes of a job that failed, which is retry-or-fail.ts.
import type { JobWork } from '../captures/job-work.ts'
import { type Result, succeed } from '../lib/result.ts'
import type { JobHandler } from './queue.ts'
import { refineCapture } from './refine-capture.ts'
import { retryOrFail } from './retry-or-fail.ts'
import { type TranscribeJobDeps, transcribeCapture } from './transcribe-capture.ts'

type Failure = { code: string; message: string }

export type CaptureJobDeps = TranscribeJobDeps

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
      if (!written.ok) return await retryOrFail(deps, { job, attempt, failure: written.failure })
      if (written.value) log.info({ phase: 'completed', ...where }, 'the capture has its text')
      return 'done'
    } catch (error) {
      log.error({ ...where, reason: error instanceof Error ? error.message : String(error) }, 'a job broke')
      const failure = { code: 'internal_error', message: 'Something went wrong inside the server.' }
      return retryOrFail(deps, { job, attempt, failure })
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
