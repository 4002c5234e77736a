// Takes in a recording that is the whole body, possibly while it is still being made: what arrived is kept, whatever
// breaks off. Recordings that must have arrived as a whole are recording/raw.ts and recording/receive.ts.

import { type Static, Type } from '@sinclair/typebox'
import type { ReceivedAudio } from '../../audio/incoming.ts'
import { type Result, succeed } from '../../lib/result.ts'
import type { Problem } from '../contract/problem.ts'
import { flag, strictObject, text } from '../contract/schema.ts'
import { clipboardInQuery } from '../fields/clipboard.ts'
import { waitQuery } from '../fields/wait.ts'
import { CaptureFieldsSchema } from '../recording/capture-fields.ts'
import { receiveRaw } from '../recording/raw.ts'

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
  folder: string
  /** names the file, where it is the only copy of a recording */
  id: string | undefined
  maxBytes: number
  shutdown: AbortSignal
  /** by default ten minutes */
  pauseMs?: number
}

/** A body of unknown length may be a recording that is still being made; of any other the client has a copy. */
export const isUnsized = (request: Request): boolean => request.headers.get('content-length') === null

/**
 * Failures: 400 empty_file and body_interrupted (nothing usable arrived), 413, 415 unsupported_audio, 507.
 * `isOnlyCopy`: no client would send it again.
 */
export async function receiveUpload(
  upload: Upload,
): Promise<Result<ReceivedAudio & { isOnlyCopy: boolean }, Problem>> {
  const { request, body, folder, id, maxBytes, shutdown, pauseMs = PAUSE_MS } = upload
  const late = lateSignal([
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
