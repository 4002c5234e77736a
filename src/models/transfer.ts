// Downloads one file from the hub to the disk, with retries.

import { fail, type Result } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { type DownloadFailure, stoppedDownload } from './download-failure.ts'
import { attemptTransfer, type TransferJob, type Transferred } from './transfer-attempt.ts'

export type TransferPatience = {
  /** a connection without data for this long is replaced */
  stallMs: number
  /** delay before a retry; doubles after each try without progress */
  pauseMs: number
  longestPauseMs: number
  /** longest Retry-After that is honoured */
  longestRetryAfterMs: number
  /** consecutive tries without progress */
  maxIdleTries: number
  maxTries: number
}

export const PATIENCE: TransferPatience = {
  stallMs: 30_000,
  pauseMs: 1000,
  longestPauseMs: 30_000,
  longestRetryAfterMs: 300_000,
  maxIdleTries: 6,
  maxTries: 500,
}

/**
 * Afterwards the part is complete, or `keepsPart` says whether the received bytes are kept.
 * @throws file system errors
 */
export async function transferFile(
  job: TransferJob,
  patience: TransferPatience,
): Promise<Result<Transferred, DownloadFailure>> {
  let furthest = await job.part.size()
  let idleTries = 0
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptTransfer(job, patience.stallMs)
    if (outcome.ok) return outcome
    if (job.signal.aborted) return fail(stoppedDownload(job.signal))
    if (outcome.failure.kind === 'failed') return fail(outcome.failure.failure)
    const { message, retryAfterMs } = outcome.failure
    // Bytes received earlier do not count: a server that always disconnects early makes no progress.
    const size = await job.part.size()
    idleTries = size > furthest ? 0 : idleTries + 1
    furthest = Math.max(furthest, size)
    if (idleTries >= patience.maxIdleTries || tries >= patience.maxTries) return fail(unavailable(message))
    if (retryAfterMs !== null && retryAfterMs > patience.longestRetryAfterMs)
      return fail(unavailable(`${message} and asks to retry in ${Math.ceil(retryAfterMs / 60_000)} minutes`))
    const pauseMs = Math.min(patience.pauseMs * 2 ** idleTries, patience.longestPauseMs)
    await pause(Math.max(pauseMs, retryAfterMs ?? 0), job.signal)
    if (job.signal.aborted) return fail(stoppedDownload(job.signal))
  }
}

const unavailable = (message: string): DownloadFailure => ({
  code: 'hub_unavailable',
  message: `${message}. The part that arrived is kept; start the download again to resume.`,
})
