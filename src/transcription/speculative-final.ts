// Transcribes an utterance speculatively during the pause after it; discarded if the user continues to speak.

import type { Result } from '../lib/result.ts'
import type { Utterance, UtteranceWriter, WritingFailure } from './live-utterance.ts'

type Written = Promise<Result<() => void, WritingFailure>>

export type SpeculativeFinal = {
  /** starts a transcription and aborts any other; does nothing if this utterance is already in progress */
  begin(utterance: Utterance): void
  /** the user continued to speak */
  discard(): void
  /** returns the speculative result, or starts the transcription now; it is no longer discarded */
  take(utterance: Utterance): Written
}

export function createSpeculativeFinal(
  { write }: Pick<UtteranceWriter, 'write'>,
  signal: AbortSignal,
): SpeculativeFinal {
  let begun: { utterance: Utterance; stop: AbortController; written: Written } | null = null

  const discard = () => {
    begun?.stop.abort()
    begun = null
  }

  const begin = (utterance: Utterance) => {
    if (begun && isSame(begun.utterance, utterance)) return
    discard()
    const stop = new AbortController()
    const written = write(utterance, AbortSignal.any([signal, stop.signal]))
    // After discard() nothing awaits it.
    written.catch(() => {})
    begun = { utterance, stop, written }
  }

  return {
    begin,
    discard,
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
