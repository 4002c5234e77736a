// Uploads a spooled recording exactly once, across interruptions, then removes it from the spool.

import { findCaptureByAudio, Refused, request, serverIsBack, Unreachable } from '../server/request.ts'
import { recordedAt } from '../server/send-form.ts'
import { isSignedIn } from '../server/session.ts'
import type { ListedCapture } from '../server/wire.ts'
import { removeSpooled, type Spooled, saveSpooled } from './spool.ts'
import { wavOf } from './wav.ts'

type Sending = {
  recording: Spooled
  blocks: readonly Int16Array<ArrayBuffer>[]
  /** called when the server is unreachable; the upload waits until it is back */
  onWait?: () => void
}

/** Temporary refusals. */
const PASSES = ['shutting_down', 'queue_full', 'database_unavailable', 'storage_unavailable']
const PASSES_MS = 3000

export type StoredRecording = Pick<ListedCapture, 'id'>

/** Moves a cancelled recording to the trash. @throws Refused */
export async function sendRecording({ recording, blocks, onWait }: Sending): Promise<StoredRecording> {
  const wav = wavOf(blocks, recording.rate)
  let { isAttempted } = recording
  for (;;) {
    try {
      const stored = (isAttempted ? await findCaptureByAudio(wav) : null) ?? (await send(recording, wav))
      await removeSpooled(recording.id).catch(() => {})
      return stored
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 401) {
        onWait?.()
        await isSignedIn()
        continue
      }
      if (error instanceof Refused && !PASSES.includes(error.problem.code)) throw error
      if (error instanceof Unreachable) isAttempted = true
      onWait?.()
      await (error instanceof Unreachable ? serverIsBack() : pauseFor(PASSES_MS))
    }
  }
}

async function send(recording: Spooled, wav: Blob): Promise<StoredRecording> {
  // Stored before the upload: after a page closes during it, the upload may or may not have arrived.
  await saveSpooled({ ...recording, isAttempted: true }).catch(() => {})
  const query = new URLSearchParams({
    source: 'dictation',
    wait: 'false',
    ...recordedAt(recording.startedAt.getTime()),
    ...(recording.state === 'cancelled' && { discarded: 'true' }),
  })
  const headers = { 'content-type': 'audio/wav' }
  return request<StoredRecording>(`/captures?${query}`, { method: 'POST', body: wav, headers })
}

const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
