// Transcribes an utterance speculatively during the pause after it; discarded if the user continues to speak.

import type { Result } from '../lib/result.ts'
import type { Utterance, WritesUtterances, WritingFailure } from './live-utterance.ts'

type Written = Promise<Result<() => void, WritingFailure>>

export type UtteranceAhead = {
  /** aborts the current speculation unless it is for the same utterance */
  begin(utterance: Utterance): void
  /** the user continued to speak */
  leaveOff(): void
  /** returns the speculative result, or starts the transcription now; it is no longer discarded */
  take(utterance: Utterance): Written
}

export function createUtteranceAhead(
  { write }: Pick<WritesUtterances, 'write'>,
  signal: AbortSignal,
): UtteranceAhead {
  let begun: { utterance: Utterance; stop: AbortController; written: Written } | null = null

  const leaveOff = () => {
    begun?.stop.abort()
    begun = null
  }

  const begin = (utterance: Utterance) => {
    if (begun && isSame(begun.utterance, utterance)) return
    leaveOff()
    const stop = new AbortController()
    const written = write(utterance, AbortSignal.any([signal, stop.signal]))
    // After leaveOff() nothing awaits it.
    written.catch(() => {})
    begun = { utterance, stop, written }
  }

  return {
    begin,
    leaveOff,
    take(utterance) {
      begin(utterance)
      const { written } = begun!
      begun = null
      return written
    },
  }
}

const isSame = (one: Utterance, other: Utterance): boolean =>
  one.fromSample === other.fromSample && one.toSample === other.toSample
