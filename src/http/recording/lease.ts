// A request's recording for as long as it is worked on: taken in, handed to whoever answers, and gone afterwards.
// What is done with it is the route's; recordings that are kept are captures/create.ts's.

import { rm } from 'node:fs/promises'
import type { Static, TObject } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import type { Form } from '../contract/form.ts'
import { type Problem, problemResponse } from '../contract/problem.ts'
import { type EitherRequest, receiveEither } from './raw.ts'

export type RecordingDeps = {
  config: { maxUploadBytes: number; maxQueue: number }
  /** recordings lie in `inbox` while they are worked on */
  folders: { inbox: string }
  /** how many recordings are worked on that are not kept; one count for all routes */
  heardNow: { count: number }
}

export type Lease = {
  /** the recording is to outlive the answer: whoever takes this must call it in the end */
  handOver(): () => Promise<void>
}

type Received<F extends TObject> = Pick<EitherRequest<F>, 'request' | 'connection' | 'fields' | 'check'> & {
  /** of a route that says so, whose recording may be the whole body */
  query?: Partial<Static<F>>
}

const QUEUE_FULL: Problem = {
  code: 'queue_full',
  detail: 'Too many recordings are being transcribed already; try again in a moment.',
  headers: { 'retry-after': '10', connection: 'close' },
}

/** The file is gone and the place free when the answer is done, however it ends. */
export async function withRecording<F extends TObject>(
  { config, folders, heardNow }: RecordingDeps,
  { query = {}, ...received }: Received<F>,
  answer: (form: Form<F, IncomingAudio> & { fields: Static<F> }, lease: Lease) => Promise<Response>,
): Promise<Response> {
  if (heardNow.count >= config.maxQueue) return problemResponse(QUEUE_FULL)
  heardNow.count++
  let path: string | null = null
  let isHandedOver = false
  const dispose = async () => {
    heardNow.count--
    if (path !== null) await rm(path, { force: true })
  }
  const handOver = () => {
    isHandedOver = true
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
    return await answer(form.value, { handOver })
  } finally {
    if (!isHandedOver) await dispose()
  }
}
