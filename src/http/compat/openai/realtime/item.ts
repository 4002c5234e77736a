// One item of a realtime conversation: what has been sent of its transcript, and the final utterances.

import type { FinalUtterance } from '../../../../dictation/live-dictation.ts'
import type { Segment } from '../../../../engine/engine.ts'
import { joinTexts } from '../../../../transcription/join-text.ts'
import type { Problem } from '../../../contract/problem.ts'
import { createId } from './server-events.ts'

export type Item = {
  id: string
  /** `committed`: receives no more audio; `over`: reported as completed or failed */
  state: 'open' | 'committed' | 'over'
  /** why part of the audio could not be transcribed */
  problem: Problem | null
  /** how much audio the client committed */
  bufferMs: number | null
  /** the final words sent so far */
  sent(): string
  /** adds final words; returns the delta to send, empty if there is none */
  confirm(utterance: string, text: string): string
  /** the words sent so far, followed by words that may still change */
  withUnstable(text: string): string
  /** adds a final utterance; returns the part not sent yet, empty if the final text differs from the words already sent */
  write(utterance: string, final: FinalUtterance): string
  /** everything transcribed in this item */
  heard(): { transcript: string; segments: Segment[]; durationMs: number }
}

export function createItem(): Item {
  const finals: FinalUtterance[] = []
  let sent = ''
  /** the most recent utterance, and the words sent before it */
  let latest = { utterance: '', before: '', confirmed: '' }

  const grow = (utterance: string, confirmed: (before: string) => string | null): string => {
    if (utterance !== latest.utterance) latest = { utterance, before: sent, confirmed: '' }
    const grown = confirmed(latest.confirmed)
    if (grown === null) return ''
    latest.confirmed = grown
    const whole = joinTexts([latest.before, grown])
    const delta = whole.slice(sent.length)
    sent = whole
    return delta
  }
  const item: Item = {
    id: createId('item'),
    state: 'open',
    problem: null,
    bufferMs: null,
    sent: () => sent,
    confirm: (utterance, text) => grow(utterance, (before) => before + text),
    withUnstable: (text) => joinTexts([sent, text]),
    write(utterance, final) {
      finals.push(final)
      return grow(utterance, (before) => (final.text.startsWith(before) ? final.text : null))
    },
    heard: () => ({
      transcript: joinTexts(finals.map(({ text }) => text)),
      segments: finals.flatMap(({ segments }) => segments),
      durationMs: item.bufferMs ?? finals.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    }),
  }
  return item
}
