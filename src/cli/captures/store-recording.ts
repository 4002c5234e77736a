// Stores a recording once. The client sends a request again whose response was lost; here that would store it twice.

import type { Static } from '@sinclair/typebox'
import type { NewCaptureSchema } from '../../http/captures/schema.ts'
import { pause } from '../../lib/retry.ts'
import { type ServerClient, ServerFailure } from '../connection/server-client.ts'
import type { WireCaptureDetail } from './find.ts'

type Requests = Pick<ServerClient, 'request'>
type NewCapture = Static<typeof NewCaptureSchema>

type SentRecording = {
  /** of the whole recording */
  sha256: string
  /** the body is created again for each attempt */
  body: () => BodyInit
  type: string
  query?: Record<string, string>
}

/** Thrown in place of a second attempt. */
class Repeated extends Error {}

/** A server that remains busy for longer than this, but responds, has failed. */
const PATIENCE_MS = 600_000

/**
 * Does not wait for the transcript: a lost connection meanwhile would look like a lost upload. Before it sends the
 * recording again, it looks whether the server has it.
 * @throws ServerFailure
 */
export async function storeRecording(
  server: Requests,
  { sha256, body, type, query = {} }: SentRecording,
): Promise<{ id: string; status: string }> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    let isSent = false
    const once = () => {
      if (isSent) throw new Repeated()
      isSent = true
      return body()
    }
    try {
      const path = `/captures?${new URLSearchParams({ ...query, wait: 'false' })}`
      return await server.request<NewCapture>('POST', path, { body: once, type })
    } catch (error) {
      if (!(error instanceof Repeated)) throw error
      const stored = await captureWithAudio(server, sha256)
      if (stored !== null) return stored
      if (Date.now() > until)
        throw new ServerFailure('queue_full', 'The server is busy and does not take the recording.')
    }
  }
}

type Found = { id: string; status: string }

/** The capture with this recording, in the trash or not. */
export async function captureWithAudio(server: Requests, sha256: string): Promise<Found | null> {
  for (const trashed of ['false', 'true']) {
    const query = `audio_sha256=${sha256}&trashed=${trashed}&limit=1`
    const { items } = await server.request<{ items: Found[] }>('GET', `/captures?${query}`)
    if (items[0]) return items[0]
  }
  return null
}

const LOOK_EVERY_MS = 500
const UNFINISHED = ['pending', 'transcribing', 'refining']

/** The capture when its transcription has ended, with a text or without. @throws ServerFailure */
export async function finishedCapture(server: Requests, id: string): Promise<WireCaptureDetail> {
  for (;;) {
    const capture = await server.request<WireCaptureDetail>('GET', `/captures/${id}`)
    if (!UNFINISHED.includes(capture.status)) return capture
    await pause(LOOK_EVERY_MS)
  }
}
