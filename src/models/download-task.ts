// Runs one download: transfer, verification, installation.

import { isDiskFull } from '../lib/disk-space.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import {
  DISK_FULL,
  type DownloadFailure,
  keepsPart,
  notWritable,
  stoppedDownload,
} from './download-failure.ts'
import type { Downloadable } from './downloadable.ts'
import { type PartFile, partFile } from './part-file.ts'
import type { ModelStore } from './store.ts'
import { type TransferJob, type TransferRetryPolicy, transferFile } from './transfer.ts'

export type DownloadTask = Pick<
  TransferJob,
  'baseUrl' | 'maxBytes' | 'signal' | 'checkRoom' | 'onProgress'
> & {
  wanted: Downloadable
  askedAs: string
  modelsFolder: string
  store: Pick<ModelStore, 'admit'>
  retryPolicy: TransferRetryPolicy
  /** all bytes have arrived and are being verified */
  onVerifying: () => void
}

/**
 * Installs the model, or keeps the received part for a later run, or leaves nothing.
 * The note stays marked as running only if the server stops.
 */
export async function download(task: DownloadTask): Promise<Result<void, DownloadFailure>> {
  const part = partFile(task.modelsFolder, task.wanted.file)
  const outcome = await bring(task, part).catch((error: unknown) => fail(failureOf(error, task.signal)))
  await tidyUp(part, outcome).catch(() => {})
  return outcome
}

async function bring(task: DownloadTask, part: PartFile): Promise<Result<void, DownloadFailure>> {
  const { wanted, askedAs, retryPolicy, store, signal, baseUrl, maxBytes, checkRoom, onProgress } = task
  const earlier = await part.readNote()
  const goesOn = earlier?.id === wanted.id && (await part.size()) > 0
  const { etag = null, sha256 = null, bytes = null } = goesOn ? earlier : {}
  if (!goesOn) await part.remove()
  const note = { id: wanted.id, askedAs, etag, sha256, bytes, running: true }
  await part.writeNote(note)
  for (let fromScratch = !goesOn; ; fromScratch = true) {
    const pinned = { sha256: wanted.sha256, bytes: wanted.bytes }
    const { hub } = wanted
    const job = { baseUrl, hub, part, pinned, maxBytes, signal, checkRoom, onProgress }
    const transferred = await transferFile(job, retryPolicy)
    if (!transferred.ok) return transferred
    task.onVerifying()
    const expected = { file: wanted.file, ...transferred.value }
    const admitted = await store.admit({ from: part.path, expected, signal })
    if (admitted.ok) return succeed(undefined)
    // A part from an earlier run may have been truncated by a power cut, which is not the hub's fault: start over.
    if (fromScratch)
      return fail({
        code: 'wrong_file',
        message: `The download was discarded: ${admitted.failure.message}`,
      })
    await part.remove()
    await part.writeNote({ ...note, etag: null, sha256: null, bytes: null })
  }
}

async function tidyUp(part: PartFile, outcome: Result<void, DownloadFailure>): Promise<void> {
  if (!outcome.ok && outcome.failure.code === 'stopping') return
  const note = await part.readNote()
  const isWorthKeeping = !outcome.ok && keepsPart(outcome.failure) && note !== null && (await part.size()) > 0
  if (isWorthKeeping) await part.writeNote({ ...note, running: false })
  else await part.remove()
}

/** Maps file system errors; any other error is a bug. */
function failureOf(error: unknown, signal: AbortSignal): DownloadFailure {
  if (signal.aborted) return stoppedDownload(signal)
  if (isDiskFull(error)) return DISK_FULL
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return notWritable(error)
  throw error
}
