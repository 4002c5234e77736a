// Writes a live stream to disk while the user speaks: as a WAV file of unknown length, or in the format of the stream.
// After a crash the next start imports the file (captures/recovery.ts).

import { createByteQueue } from '../../audio/byte-queue.ts'
import { type Cut, type ReceivedAudio, type ReceiveFailure, receiveAudio } from '../../audio/incoming.ts'
import { createNotifier } from '../../lib/notifier.ts'
import type { Result } from '../../lib/result.ts'
import { wavHeaderOf } from '../../lib/wav.ts'

export type LiveRecording = {
  /** copies the bytes; false if the recording would exceed its maximum size */
  push(bytes: Uint8Array): boolean
  /** ends the recording: resolves when the file is synced; null if no bytes were pushed */
  end(): Promise<Result<ReceivedAudio, ReceiveFailure>> | null
}

type Options = {
  folder: string
  /** names the file */
  id(): string
  /** sample rate of 16-bit PCM in Hz; null if the stream already is an audio file */
  wavRate: number | null
  maxBytes: number
  /** called as soon as writing fails; `isKept`: the part that had arrived is stored */
  onCut: (cut: Cut, isKept: boolean) => void
}

/** No idle timeout here: the socket has its own. */
const NEVER_MS = 2 ** 31 - 1
const WRITE_BYTES = 64 * 1024

export function recordLive({ folder, id, wavRate, maxBytes, onCut }: Options): LiveRecording {
  /** Collects frames of a few bytes into one write. */
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
