// A stream as a recording on the disk while it is still spoken: a WAV file whose end nobody knows yet, or what came, as it came.
// What a crash leaves of it is taken in at the next start (captures/take-inbox.ts); making a capture of it is its caller's.

import { createByteQueue } from '../../audio/byte-queue.ts'
import { type Cut, type ReceivedAudio, type ReceiveFailure, receiveAudio } from '../../audio/incoming.ts'
import { wavHeaderOf } from '../../audio/wav-header.ts'
import { createNotifier } from '../../lib/notifier.ts'
import type { Result } from '../../lib/result.ts'

export type LiveRecording = {
  /** copies them; false where the recording is as large as one may be */
  push(bytes: Uint8Array): boolean
  /** nothing more comes: what did is on the disk and synced; null where nothing did */
  end(): Promise<Result<ReceivedAudio, ReceiveFailure>> | null
}

type Options = {
  folder: string
  /** names the file */
  id(): string
  /** of 16-bit samples, in Hz; null where what comes is a file as it is */
  wavRate: number | null
  maxBytes: number
  /** reports that no more of it can be written, as soon as that is known; `isKept`: what arrived before is kept */
  onCut: (cut: Cut, isKept: boolean) => void
}

/** Whoever sends is watched over by the socket. */
const NEVER_MS = 2 ** 31 - 1
const WRITE_BYTES = 64 * 1024

export function recordLive({ folder, id, wavRate, maxBytes, onCut }: Options): LiveRecording {
  /** Frames of a few bytes become one write. */
  const held = createByteQueue()
  let bytes = 0
  let isOver = false
  const { notify, next: changed } = createNotifier()
  let received: Promise<Result<ReceivedAudio, ReceiveFailure>> | null = null
  const take = (piece: Uint8Array) => {
    bytes += piece.length
    const isAwaited = held.length() === 0
    held.push(piece)
    if (isAwaited) notify()
  }

  async function* body() {
    while (!isOver || held.length() > 0) {
      if (held.length() > 0) yield held.take(WRITE_BYTES)
      else await changed()
    }
  }

  const begin = () => {
    if (wavRate !== null) take(wavHeaderOf({ sample: 's16', rate: wavRate, dataBytes: null }))
    const writing = receiveAudio({
      folder,
      id: id(),
      maxBytes,
      body: body(),
      live: { idleMs: NEVER_MS, isOnlyCopy: true },
    })
    writing.then(
      (written) => {
        if (!written.ok) onCut(written.failure, false)
        else if (written.value.cut) onCut(written.value.cut, true)
      },
      (thrown: unknown) => onCut({ thrown }, false),
    )
    return writing
  }

  return {
    push(piece) {
      received ??= begin()
      if (bytes + piece.length > maxBytes) return false
      take(piece)
      return true
    },
    end() {
      isOver = true
      notify()
      return received
    },
  }
}
