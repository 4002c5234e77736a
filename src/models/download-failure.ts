// Why a download failed, with messages for users.

import { systemReason } from '../lib/os-errors.ts'

export type DownloadFailure = {
  code: /** the hub has no such file, or requires a login for it */
    | 'not_on_hub'
    /** no usable response after all retries; the received part is kept */
    | 'hub_unavailable'
    /** the hub describes a different file, or none that can be verified */
    | 'wrong_answer'
    /** the received file is not the requested one */
    | 'wrong_file'
    | 'disk_full'
    | 'folder_not_writable'
    | 'canceled'
    /** the server is stopping; the next start resumes */
    | 'stopping'
    /** stopped by the user; resumes on the next request */
    | 'interrupted'
  message: string
}

/** Whether a later run may resume: the part is then the beginning of the right file. */
export const keepsPart = ({ code }: DownloadFailure): boolean =>
  [
    'hub_unavailable',
    'wrong_answer',
    'not_on_hub',
    'folder_not_writable',
    'stopping',
    'interrupted',
  ].includes(code)

/** Why a signal fired. */
export type EndReason = 'canceled' | 'stopping' | 'interrupted'

const ENDINGS: Record<EndReason, string> = {
  canceled: 'The download was cancelled.',
  stopping: 'The server is stopping; the download resumes when it starts again.',
  interrupted:
    'The download was interrupted. The part that arrived is kept; start the download again to resume.',
}

/** The failure of a download whose signal has aborted. */
export function stoppedDownload({ reason }: AbortSignal): DownloadFailure {
  const code: EndReason = reason === 'stopping' || reason === 'interrupted' ? reason : 'canceled'
  return { code, message: ENDINGS[code] }
}

export const DISK_FULL = {
  code: 'disk_full',
  message: 'The disk is too full for this model. Free some space and try again.',
} as const

/** @throws errors that are not from the operating system: those are bugs */
export function notWritable(error: unknown): { code: 'folder_not_writable'; message: string } {
  const reason = systemReason(error)
  if (reason === null) throw error
  const message = `The models folder is not writable: ${reason}. GET /health/filesystem shows its path.`
  return { code: 'folder_not_writable', message }
}

/** Disk space that a model download must leave free for recordings. */
export const ROOM_LEFT_BYTES = 500_000_000
