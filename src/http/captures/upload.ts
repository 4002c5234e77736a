// Receives a recording that is the whole body, possibly while it is being made. An interrupted upload is kept.

import { type Static, Type } from '@sinclair/typebox'
import type { ReceivedAudio } from '../../audio/incoming.ts'
import { type Result, succeed } from '../../lib/result.ts'
import { clipboardInQuery, waitQuery } from '../fields/fields.ts'
import type { Problem } from '../kernel/problem.ts'
import { flag, strictObject, text } from '../kernel/schema.ts'
import { CaptureFieldsSchema } from '../recording/capture-fields.ts'
import { receiveRaw } from '../recording/receive.ts'

export const uploadQuery = strictObject({
  ...waitQuery.properties,
  ...CaptureFieldsSchema.properties,
  clipboard: Type.Optional(clipboardInQuery),
  file_name: Type.Optional(text({ maxLength: 1000, description: 'file name of the recording' })),
  discarded: Type.Optional(
    flag({
      description: 'true moves the recording directly to the trash, without transcribing it',
      default: false,
    }),
  ),
})
export type UploadQuery = Partial<Static<typeof uploadQuery>>

/** A speaker may pause to think or be called away. A client that is silent for longer has gone without closing. */
const PAUSE_MS = 600_000
/** The server has ten seconds to stop; half of them let a short recording arrive completely. */
const STOP_GRACE_MS = 5000
/** Bytes that the client sent before it disconnected may still be in this process's buffers. */
const PARTING_MS = 500

export type Upload = {
  request: Request
  /** read from the connection since the start of the request */
  body: AsyncIterable<Uint8Array>
  folder: string
  /** becomes the file name if this is the only copy of the recording */
  id: string | undefined
  maxBytes: number
  shutdown: AbortSignal
  /** default: ten minutes */
  pauseMs?: number
}

/** A body of unknown length may be a recording in progress; if the length is known, the client has a copy. */
export const isUnsized = (request: Request): boolean => request.headers.get('content-length') === null

/**
 * Failures: 400 empty_file and body_interrupted (nothing usable arrived), 413, 415 unsupported_audio, 507.
 * `isOnlyCopy`: the client cannot send the recording again.
 */
export async function receiveUpload(
  upload: Upload,
): Promise<Result<ReceivedAudio & { isOnlyCopy: boolean }, Problem>> {
  const { request, body, folder, id, maxBytes, shutdown, pauseMs = PAUSE_MS } = upload
  const late = delayedSignal([
    [request.signal, PARTING_MS],
    [shutdown, STOP_GRACE_MS],
  ])
  try {
    const isOnlyCopy = isUnsized(request)
    const received = await receiveRaw({
      request,
      folder,
      ...(id !== undefined && { id }),
      body,
      maxBytes,
      signal: late.signal,
      live: { idleMs: pauseMs, isOnlyCopy },
    })
    if (!received.ok) return received
    return succeed({ ...received.value, isOnlyCopy: isOnlyCopy || received.value.interrupted })
  } finally {
    late.dispose()
  }
}

/** Each cause starts a timer of its own; the signal fires with the first timer. */
function delayedSignal(causes: [AbortSignal, ms: number][]): { signal: AbortSignal; dispose(): void } {
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
