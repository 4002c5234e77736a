// Receives a form with one recording: the fields are checked, and the file is synced to disk with its format detected.
// The caller owns the file.

import { rm } from 'node:fs/promises'
import type { TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import { ACCEPTED_FORMATS } from '../../audio/formats.ts'
import { type ReceivedAudio, type ReceiveRequest, receiveAudio } from '../../audio/incoming.ts'
import { fail, type Result } from '../../lib/result.ts'
import type { Connection } from '../contract/connection.ts'
import { problemOf } from '../contract/failure.ts'
import {
  type Form,
  type FormCheck,
  type FormFields,
  type FormRequest,
  receiveForm,
} from '../contract/form.ts'
import type { Problem } from '../contract/problem.ts'

export type RecordingRequest<F extends TObject> = {
  request: Request
  connection: Connection
  fields: FormFields<F>
  /** where the file is stored, under a unique name */
  folder: string
  maxBytes: number
  check?: FormCheck<F>
}

/** Failures as in receiveForm, and 400 empty_file, 413 file_too_large, 415 unsupported_audio, 507 disk_full. */
export const receiveRecording = <F extends TObject>({
  folder,
  maxBytes,
  ...form
}: RecordingRequest<F>): Promise<Result<Form<F, IncomingAudio>, Problem>> =>
  receiveForm<F, IncomingAudio>({
    ...(form as Pick<FormRequest<F, IncomingAudio>, 'request' | 'connection' | 'fields' | 'check'>),
    maxFileBytes: maxBytes,
    store: ({ body }) => storeRecording({ folder, body, maxBytes, signal: form.request.signal }),
    discard: ({ path }) => rm(path, { force: true }),
  })

/** receiveAudio, with its failure as a problem. */
export async function storeRecording(request: ReceiveRequest): Promise<Result<ReceivedAudio, Problem>> {
  const received = await receiveAudio(request)
  if (received.ok) return received
  const problem = problemOf(received.failure)
  return fail(problem.code === 'unsupported_audio' ? { ...problem, accepted: ACCEPTED_FORMATS } : problem)
}
