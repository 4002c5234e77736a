// Receives a recording that is the whole body, with its fields in the query.

import type { Static, TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import type { ReceivedAudio, ReceiveRequest } from '../../audio/incoming.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { type Form, type FormCheck, isForm, WHOLE } from '../contract/form.ts'
import type { Problem } from '../contract/problem.ts'
import { readAhead } from './read-ahead.ts'
import { type RecordingRequest, receiveRecording, storeRecording } from './receive.ts'

/** The media types that recorders and browsers send; the format is detected from the bytes. */
export const RECORDING_TYPES = ['audio/*', 'video/*', 'application/ogg', 'application/octet-stream'] as const

/** Failures: 400 empty_file and body_interrupted, 413, 415 unsupported_audio, 507. After a failure the rest is not read. */
export async function receiveRaw({
  request,
  ...receiving
}: ReceiveRequest & { request: Request }): Promise<Result<ReceivedAudio, Problem>> {
  const { maxBytes } = receiving
  // The declared size; storeRecording counts a body without one.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return fail(tooLarge(maxBytes))
  const stored = await storeRecording(receiving)
  return stored.ok ? stored : fail(unread(stored.failure))
}

const CLOSE = { connection: 'close' }

/** Closes the connection, because the body has not been read to its end. */
export const unread = (problem: Problem): Problem => ({
  ...problem,
  headers: { ...problem.headers, ...CLOSE },
})

const tooLarge = (maxBytes: number): Problem => ({
  code: 'file_too_large',
  detail: `The recording is larger than the ${Math.floor(maxBytes / 1024 ** 2)} MB this server accepts.`,
  headers: CLOSE,
})

export type EitherRequest<F extends TObject> = Omit<RecordingRequest<F>, 'check'> & {
  check: FormCheck<F>
  /** fields of the query; fields of the form override them */
  query: Partial<Static<F>>
}

/** Receives one recording with its fields, in a form or as the whole body. Failures as in receiveRecording. */
export async function receiveEither<F extends TObject>({
  query,
  check,
  ...received
}: EitherRequest<F>): Promise<Result<Form<F, IncomingAudio>, Problem>> {
  const { request, connection, folder, maxBytes } = received
  if (isForm(request)) {
    const form = await receiveRecording({
      ...received,
      check: (fields, stage) => check({ ...query, ...fields }, stage),
    })
    return form.ok ? succeed({ ...form.value, fields: { ...query, ...form.value.fields } }) : form
  }
  const problem = await check(query, WHOLE)
  if (problem) return fail(unread(problem))
  const body = readAhead(request)
  try {
    const stored = await receiveRaw({ request, folder, maxBytes, body, signal: request.signal })
    if (!stored.ok) return stored
    connection.requestIsWhole()
    return succeed({ fields: query as Static<F>, fileName: null, stored: stored.value })
  } finally {
    await body.drain()
  }
}
