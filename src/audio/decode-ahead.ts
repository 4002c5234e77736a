// Decodes a new recording while its record and row are being written: its job asks for it a moment later.
// One at a time, and small ones; what nobody asks for soon is thrown away. How it is decoded is decode.ts.

import type { IncomingAudio } from './audio-file.ts'
import type { AudioDecoder } from './decode.ts'

export type DecodeAhead = {
  /** Begins; must not be called before the audio is synced and where it stays. */
  begin(recording: Pick<IncomingAudio, 'path' | 'bytes' | 'kind'>): void
  /** As the decoder's own; of a recording that was begun, the outcome of that, once, if it succeeded. */
  decode: AudioDecoder['decode']
}

type Begun = {
  path: string
  decoded: ReturnType<AudioDecoder['decode']>
  stop: AbortController
  forgetting: Timer
}

/** A dictation. With an hour the few milliseconds do not count, and its samples would fill a disk for nothing. */
const MAX_BYTES = 2 * 1024 ** 2
/** A job that is not taken up by then waits behind others. */
const KEPT_MS = 2000

export function createDecodeAhead(decoder: Pick<AudioDecoder, 'decode'>, keptMs = KEPT_MS): DecodeAhead {
  let begun: Begun | null = null

  const forget = () => {
    if (begun === null) return
    const { decoded, stop } = begun
    begun = null
    stop.abort()
    decoded.then((outcome) => (outcome.ok ? outcome.value.dispose() : undefined)).catch(() => {})
  }

  return {
    begin({ path, bytes, kind }) {
      if (begun !== null || bytes > MAX_BYTES) return
      const stop = new AbortController()
      const decoded = decoder.decode({ path, kind, signal: stop.signal })
      // Who asks for it is told; that nobody does is no crash.
      decoded.catch(() => {})
      begun = { path, decoded, stop, forgetting: setTimeout(forget, keptMs) }
    },
    async decode(request) {
      if (begun === null || begun.path !== request.path) return decoder.decode(request)
      const { decoded, stop, forgetting } = begun
      begun = null
      clearTimeout(forgetting)
      const early = await endedBy(request.signal, stop, decoded)
      // The file may have been moved away and back again meanwhile.
      return early.ok || request.signal.aborted ? early : decoder.decode(request)
    },
  }
}

async function endedBy<T>(signal: AbortSignal, stop: AbortController, work: Promise<T>): Promise<T> {
  const end = () => stop.abort()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await work
  } finally {
    signal.removeEventListener('abort', end)
  }
}
