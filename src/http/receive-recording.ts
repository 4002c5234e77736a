// Takes the one recording of a form in: checked fields, and the file synced and recognised on disk.
// Whoever gets it owns the file from then on.

import { rm } from 'node:fs/promises'
import type { TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../audio/audio-file.ts'
import { receiveAudio } from '../audio/incoming.ts'
import { ACCEPTED_AUDIO } from '../audio/sniff.ts'
import type { Result } from '../lib/result.ts'
import type { Connection } from './connection.ts'
import { problemOf } from './failure.ts'
import { type Form, type FormCheck, type FormFields, type FormRequest, receiveForm } from './form.ts'
import type { Problem } from './problem.ts'

export type RecordingRequest<F extends TObject> = {
  request: Request
  connection: Connection
  fields: FormFields<F>
  /** where the file is put, under a name of its own */
  folder: string
  maxBytes: number
  check?: FormCheck<F>
}

/** Failures as receiveForm, and 400 empty_file, 413 file_too_large, 415 unsupported_audio, 507 disk_full. */
export const receiveRecording = <F extends TObject>({
  folder,
  maxBytes,
  ...form
}: RecordingRequest<F>): Promise<Result<Form<F, IncomingAudio>, Problem>> =>
  receiveForm<F, IncomingAudio>({
    ...(form as Pick<FormRequest<F, IncomingAudio>, 'request' | 'connection' | 'fields' | 'check'>),
    maxFileBytes: maxBytes,
    async store({ body }) {
      const received = await receiveAudio({ folder, body, maxBytes, signal: form.request.signal })
      if (received.ok) return received
      const problem = problemOf(received.failure)
      return {
        ok: false,
        failure: problem.code === 'unsupported_audio' ? { ...problem, accepted: acceptedAudio } : problem,
      }
    },
    discard: ({ path }) => rm(path, { force: true }),
  })

/** For a refusal of what is no recording. */
export const acceptedAudio = ACCEPTED_AUDIO.split(/, | or /)
