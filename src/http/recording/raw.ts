// A recording that is the whole body: what it may be called, what it is refused for, and its fields, which stand in the query.
// Recordings in forms are receive.ts; one that is kept while it is still being made is captures/upload.ts.

import type { Static, TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import type { ReceivedAudio, ReceiveRequest } from '../../audio/incoming.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { type Form, type FormCheck, isForm, WHOLE } from '../contract/form.ts'
import type { Problem } from '../contract/problem.ts'
import { readAhead } from './read-ahead.ts'
import { type RecordingRequest, receiveRecording, storeRecording } from './receive.ts'

/** What recorders and browsers call their recordings; what they are is told from the bytes. */
export const RECORDING_TYPES = ['audio/*', 'video/*', 'application/ogg', 'application/octet-stream'] as const

/** Failures: 400 empty_file and body_interrupted, 413, 415 unsupported_audio, 507; what follows is not read. */
export async function receiveRaw({
  request,
  ...receiving
}: ReceiveRequest & { request: Request }): Promise<Result<ReceivedAudio, Problem>> {
  const { maxBytes } = receiving
  // As told beforehand; what is not told is counted.
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return fail(tooLarge(maxBytes))
  const stored = await storeRecording(receiving)
  return stored.ok ? stored : fail(unread(stored.failure))
}

const CLOSE = { connection: 'close' }

/** A refusal of what has not been read to its end. */
export const unread = (problem: Problem): Problem => ({
  ...problem,
  headers: { ...problem.headers, ...CLOSE },
})

const tooLarge = (maxBytes: number): Problem => ({
  code: 'file_too_large',
  detail: `The recording is larger than the ${Math.floor(maxBytes / 1024 ** 2)} MB this server takes.`,
  headers: CLOSE,
})

export type EitherRequest<F extends TObject> = Omit<RecordingRequest<F>, 'check'> & {
  check: FormCheck<F>
  /** holds where no form says otherwise */
  query: Partial<Static<F>>
}

/** One recording with its fields, in a form or as the whole body. Failures as receiveRecording. */
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
    await body.hearOut()
  }
}
