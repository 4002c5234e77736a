// Takes in a recording that is the whole body, possibly while it is still being made: what arrived is kept, whatever
// breaks off. Its fields stand in the query. Recordings in forms are receive-recording.ts.

import { type Static, Type } from '@sinclair/typebox'
import { type ReceivedAudio, receiveAudio } from '../audio/incoming.ts'
import { fail, type Result } from '../lib/result.ts'
import { CaptureFieldsSchema } from './capture-fields.ts'
import { clipboardInQuery } from './clipboard.ts'
import type { Connection } from './connection.ts'
import { problemOf } from './failure.ts'
import type { Problem } from './problem.ts'
import { acceptedAudio } from './receive-recording.ts'
import { flag, strictObject, text } from './schema.ts'
import { waitQuery } from './wait.ts'

/** What recorders and browsers call their recordings; what they are is told from the bytes. */
export const RECORDING_TYPES = ['audio/*', 'video/*', 'application/ogg', 'application/octet-stream'] as const

export const uploadQuery = strictObject({
  ...waitQuery.properties,
  ...CaptureFieldsSchema.properties,
  clipboard: Type.Optional(clipboardInQuery),
  file_name: Type.Optional(text({ maxLength: 1000, description: 'how the recording is called' })),
  discarded: Type.Optional(
    flag({ description: 'puts it straight into the trash, untranscribed', default: false }),
  ),
})
export type UploadQuery = Partial<Static<typeof uploadQuery>>

/** Who dictates may think, or be called away; a sender that is silent for longer has gone without saying so. */
const PAUSE_MS = 600_000
/** When the server stops there are ten seconds; half of them let a short recording arrive as a whole. */
const STOP_GRACE_MS = 5000
/** What was sent before the other side left may still be on its way through this process. */
const PARTING_MS = 500

export type Upload = {
  request: Request
  /** taken off the connection from the beginning */
  body: AsyncIterable<Uint8Array>
  connection: Connection
  folder: string
  maxBytes: number
  shutdown: AbortSignal
  /** by default ten minutes */
  pauseMs?: number
}

/** Failures: 400 empty_file and body_interrupted (nothing usable arrived), 413, 415 unsupported_audio, 507. */
export async function receiveUpload(upload: Upload): Promise<Result<ReceivedAudio, Problem>> {
  const { request, body, connection, folder, maxBytes, shutdown, pauseMs = PAUSE_MS } = upload
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return fail(tooLarge(maxBytes))
  connection.mayPause()
  const late = lateSignal([
    [request.signal, PARTING_MS],
    [shutdown, STOP_GRACE_MS],
  ])
  try {
    const received = await receiveAudio({
      ...{ folder, body, maxBytes, signal: late.signal },
      live: { idleMs: pauseMs },
    })
    if (received.ok) return received
    const problem = problemOf(received.failure)
    const headers = { ...problem.headers, connection: 'close' }
    const accepted = problem.code === 'unsupported_audio' ? { accepted: acceptedAudio } : {}
    return fail({ ...problem, ...accepted, headers })
  } finally {
    late.dispose()
  }
}

const tooLarge = (maxBytes: number): Problem => ({
  code: 'file_too_large',
  detail: `The recording is larger than the ${Math.floor(maxBytes / 1024 ** 2)} MB this server takes.`,
  headers: { connection: 'close' },
})

/** Fires so long after the first of these. */
function lateSignal(causes: [AbortSignal, ms: number][]): { signal: AbortSignal; dispose(): void } {
  const late = new AbortController()
  const over = new AbortController()
  const timers: Timer[] = []
  for (const [cause, ms] of causes) {
    const begin = () => timers.push(setTimeout(() => late.abort(), ms))
    if (cause.aborted) begin()
    else cause.addEventListener('abort', begin, { once: true, signal: over.signal })
  }
  return {
    signal: late.signal,
    dispose() {
      over.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
