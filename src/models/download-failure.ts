// Why a download did not come to its end, in words for a person.
// Says nothing about the wire; http/ does.

import { systemReason } from '../lib/system-reason.ts'

export type DownloadFailure = {
  code: /** the hub has no such file, or shows it to nobody who has not signed in */
    | 'not_on_hub'
    /** no answer, or none that helps, however often it was tried; what arrived is kept */
    | 'hub_unavailable'
    /** the hub tells of another file than the one that was asked for, or of none that can be checked */
    | 'wrong_answer'
    /** what arrived is not the file that was asked for */
    | 'wrong_file'
    | 'disk_full'
    | 'folder_not_writable'
    | 'canceled'
    /** the server is stopping; the next start goes on */
    | 'stopping'
    /** whoever ran it has ended it for now; it goes on when it is asked for again */
    | 'interrupted'
  message: string
}

/** Trying again later can only go on where it stopped when the part is the beginning of the right file. */
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
  stopping: 'The server is stopping; the download goes on at its next start.',
  interrupted: 'The download was interrupted. What has arrived is kept; start it again to go on.',
}

/** Of a download whose signal has fired. */
export function stoppedDownload({ reason }: AbortSignal): DownloadFailure {
  const code: EndReason = reason === 'stopping' || reason === 'interrupted' ? reason : 'canceled'
  return { code, message: ENDINGS[code] }
}

export const DISK_FULL = {
  code: 'disk_full',
  message: 'The disk is too full for this model. Free some space and try again.',
} as const

/** @throws what is not the system's refusal: that is a mistake in the code */
export function notWritable(error: unknown): { code: 'folder_not_writable'; message: string } {
  const reason = systemReason(error)
  if (reason === null) throw error
  const message = `The models folder cannot be written to: ${reason}. GET /health/filesystem shows where it is.`
  return { code: 'folder_not_writable', message }
}

/** Recordings come first: bringing a model must leave them so much. */
export const ROOM_LEFT_BYTES = 500_000_000
