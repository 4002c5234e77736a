// An utterance written in the pause behind it, before it is known whether it is over: used where nobody speaks on.
// What an utterance is, is live-utterance.ts's; when one is begun and taken, live-listener.ts's.

import type { Result } from '../lib/result.ts'
import type { Utterance, WritesUtterances, WritingFailure } from './live-utterance.ts'

type Written = Promise<Result<() => void, WritingFailure>>

export type UtteranceAhead = {
  /** unless the very same is being written already; what else was is left off */
  begin(utterance: Utterance): void
  /** somebody spoke on */
  leaveOff(): void
  /** what comes of it, from now on for good: begun ahead, or now */
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
    // Left off, nobody waits for it.
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
