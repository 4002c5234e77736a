// Brings the bytes of one file from the hub to the disk: tries, waits, tries again, gives up.
// One try is transfer-attempt.ts; whether the whole is the right file is checked by file-check.ts.

import { fail, type Result } from '../lib/result.ts'
import { pause } from '../lib/retry.ts'
import { type DownloadFailure, stoppedDownload } from './download-failure.ts'
import { attemptTransfer, type TransferJob, type Transferred } from './transfer-attempt.ts'

export type TransferPatience = {
  /** without a byte for so long, a connection is given up and another one opened */
  stallMs: number
  /** before a repetition; doubled at each that brought nothing */
  pauseMs: number
  longestPauseMs: number
  /** what a hub that is busy may ask for */
  longestRetryAfterMs: number
  /** tries in a row that bring nothing */
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
 * The part is whole afterwards, or what could be had of it is kept or not as `keepsPart` says.
 * @throws what the file system throws
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
    // Bytes that were there before count for nothing: a server that always breaks off early brings no progress.
    const size = await job.part.size()
    idleTries = size > furthest ? 0 : idleTries + 1
    furthest = Math.max(furthest, size)
    if (idleTries >= patience.maxIdleTries || tries >= patience.maxTries) return fail(unavailable(message))
    if (retryAfterMs !== null && retryAfterMs > patience.longestRetryAfterMs)
      return fail(
        unavailable(`${message} and wants to be asked again in ${Math.ceil(retryAfterMs / 60_000)} minutes`),
      )
    const pauseMs = Math.min(patience.pauseMs * 2 ** idleTries, patience.longestPauseMs)
    await pause(Math.max(pauseMs, retryAfterMs ?? 0), job.signal)
    if (job.signal.aborted) return fail(stoppedDownload(job.signal))
  }
}

const unavailable = (message: string): DownloadFailure => ({
  code: 'hub_unavailable',
  message: `${message}. What has arrived is kept; start the download again to go on.`,
})
