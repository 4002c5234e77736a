// Hands a recording of the spool over to the server, once, whatever breaks off meanwhile; then the spool forgets it.
// What is in the spool is spool.ts's, when it is sent take.ts's and left-over.tsx's.

import { ask, Refused, Unreachable } from '../server/ask.ts'
import { isReachable } from '../server/reachable.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { removeSpooled, type Spooled, saveSpooled } from './spool.ts'
import { wavOf } from './wav.ts'

type Sending = {
  recording: Spooled
  blocks: readonly Int16Array<ArrayBuffer>[]
  /** nobody answers: it is sent when somebody does */
  onWait?: () => void
}

/** Refusals that pass by themselves. */
const PASSES = ['shutting_down', 'queue_full', 'database_unavailable', 'storage_unavailable']
const PASSES_MS = 3000

export type KeptRecording = Pick<ListedCapture, 'id'>

/** Goes into the trash where it was cancelled. @throws Refused */
export async function sendRecording({ recording, blocks, onWait }: Sending): Promise<KeptRecording> {
  const wav = wavOf(blocks, recording.rate)
  let { isAttempted } = recording
  for (;;) {
    try {
      const kept = (isAttempted ? await findKept(wav) : null) ?? (await send(recording, wav))
      await removeSpooled(recording.id).catch(() => {})
      return kept
    } catch (error) {
      if (error instanceof Refused && !PASSES.includes(error.problem.code)) throw error
      if (error instanceof Unreachable) isAttempted = true
      onWait?.()
      await (error instanceof Unreachable ? serverIsBack() : pauseFor(PASSES_MS))
    }
  }
}

async function send(recording: Spooled, wav: Blob): Promise<KeptRecording> {
  // Noted before: a page that is closed behind it cannot tell whether it arrived.
  await saveSpooled({ ...recording, isAttempted: true }).catch(() => {})
  const query = new URLSearchParams({
    source: 'dictation',
    wait: 'false',
    ...(recording.state === 'cancelled' && { discarded: 'true' }),
  })
  const headers = { 'content-type': 'audio/wav' }
  return ask<KeptRecording>(`/captures?${query}`, { method: 'POST', body: wav, headers })
}

/** What may have arrived although nobody was told so, by the recording's hash. */
async function findKept(wav: Blob): Promise<KeptRecording | null> {
  const digest = await crypto.subtle.digest('SHA-256', await wav.arrayBuffer())
  const audio_sha256 = new Uint8Array(digest).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, '0'),
    '',
  )
  for (const trashed of ['false', 'true']) {
    const query = new URLSearchParams({ audio_sha256, trashed, limit: '1' })
    const { items } = await ask<ListOf<ListedCapture>>(`/captures?${query}`)
    if (items[0]) return items[0]
  }
  return null
}

const pauseFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const serverIsBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = isReachable.subscribe((reachable) => {
      if (!reachable) return
      queueMicrotask(() => end())
      resolve()
    })
  })
