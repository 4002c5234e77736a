// The text of a stream for clients that concatenate its pieces and can take none of them back.

import { joinTexts } from '../../../transcription/transcript.ts'

export type SettledText = {
  /** the concatenated pieces */
  sent(): string
  /** adds confirmed words of an utterance; returns the piece to send, empty if there is none */
  confirm(utterance: string, text: string): string
  /** adds an utterance's final text; returns the rest of it, empty if it differs from the words already sent */
  write(utterance: string, final: string): string
}

export function createSettledText(): SettledText {
  let sent = ''
  /** the most recent utterance, and the words sent before it */
  let latest = { utterance: '', before: '', confirmed: '' }

  const grow = (utterance: string, confirmed: (before: string) => string | null): string => {
    if (utterance !== latest.utterance) latest = { utterance, before: sent, confirmed: '' }
    const grown = confirmed(latest.confirmed)
    if (grown === null) return ''
    latest.confirmed = grown
    const whole = joinTexts([latest.before, grown])
    const piece = whole.slice(sent.length)
    sent = whole
    return piece
  }
  return {
    sent: () => sent,
    confirm: (utterance, text) => grow(utterance, (before) => before + text),
    write: (utterance, final) => grow(utterance, (before) => (final.startsWith(before) ? final : null)),
  }
}
