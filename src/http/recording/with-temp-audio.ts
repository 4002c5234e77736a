// Receives the recording of a request into a temporary file that is deleted after the response.

import { rm } from 'node:fs/promises'
import type { Static, TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import type { Form } from '../contract/form.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import { type EitherRequest, receiveEither } from './raw.ts'

export type RecordingDeps = {
  config: { maxUploadBytes: number; maxQueue: number }
  /** recordings are stored in `inbox` while they are processed */
  folders: { inbox: string }
  /** how many temporary recordings are being processed; one count for all routes */
  heardNow: { count: number }
}

export type TempAudio = {
  /** keeps the recording after the response; the caller must call the returned function to delete it */
  keepAfterResponse(): () => Promise<void>
}

type Received<F extends TObject> = Pick<EitherRequest<F>, 'request' | 'connection' | 'fields' | 'check'> & {
  /** for routes that accept the recording as the whole body */
  query?: Partial<Static<F>>
}

const QUEUE_FULL: Problem = {
  code: 'queue_full',
  detail: 'Too many recordings are being transcribed already; try again in a moment.',
  headers: { 'retry-after': '10', connection: 'close' },
}

/** Deletes the file and frees its place in the queue when `respond` ends, also if it throws. */
export async function withTempAudio<F extends TObject>(
  { config, folders, heardNow }: RecordingDeps,
  { query = {}, ...received }: Received<F>,
  respond: (form: Form<F, IncomingAudio> & { fields: Static<F> }, audio: TempAudio) => Promise<Response>,
): Promise<Response> {
  if (heardNow.count >= config.maxQueue) return problemResponse(QUEUE_FULL)
  heardNow.count++
  let path: string | null = null
  let isKept = false
  const dispose = async () => {
    heardNow.count--
    if (path !== null) await rm(path, { force: true })
  }
  const keepAfterResponse = () => {
    isKept = true
    return dispose
  }
  try {
    const form = await receiveEither({
      ...received,
      query,
      folder: folders.inbox,
      maxBytes: config.maxUploadBytes,
    })
    if (!form.ok) return problemResponse(form.failure)
    path = form.value.stored.path
    return await respond(form.value, { keepAfterResponse })
  } finally {
    if (!isKept) await dispose()
  }
}
