// Starts decoding a new recording while its record and row are being written, because its job needs it a moment later.
// Decodes one small recording at a time and discards the result if no job requests it soon.

import type { IncomingAudio } from './audio-file.ts'
import type { AudioDecoder } from './decode.ts'

export type DecodeAhead = {
  /** Starts decoding. Call it only once the audio is synced and in its final place. */
  begin(recording: Pick<IncomingAudio, 'path' | 'bytes' | 'kind'>): void
  /**
   * Same as the decoder's own. For a recording that was started early it returns that result, once, if it succeeded.
   */
  decode: AudioDecoder['decode']
}

type Begun = {
  path: string
  decoded: ReturnType<AudioDecoder['decode']>
  stop: AbortController
  expiry: Timer
}

/**
 * A dictation. For an hour of audio the saved milliseconds do not matter, and its unused samples would fill the disk.
 */
const MAX_BYTES = 2 * 1024 ** 2
/** If its job has not started by then, it waits behind others. */
const RETENTION_MS = 2000

export function createDecodeAhead(
  decoder: Pick<AudioDecoder, 'decode'>,
  retentionMs = RETENTION_MS,
): DecodeAhead {
  let begun: Begun | null = null

  const discard = () => {
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
      // The caller of `decode` gets the error; without a caller it must not crash the process.
      decoded.catch(() => {})
      begun = { path, decoded, stop, expiry: setTimeout(discard, retentionMs) }
    },
    async decode(request) {
      if (begun === null || begun.path !== request.path) return decoder.decode(request)
      const { decoded, stop, expiry } = begun
      begun = null
      clearTimeout(expiry)
      const early = await endedBy(request.signal, stop, decoded)
      // The early attempt may have failed because the file was moved away and back.
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
