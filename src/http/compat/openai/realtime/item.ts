// One item of a realtime conversation: what somebody said, from the first word told to the whole transcript.
// Which audio belongs to it is stretch.ts's; how it is told, conversation.ts's.

import type { FinalUtterance } from '../../../../dictation/live-dictation.ts'
import type { Segment } from '../../../../engine/engine.ts'
import { joinTexts } from '../../../../transcription/join-text.ts'
import type { Problem } from '../../../contract/problem.ts'
import { createId } from './server-events.ts'

export type Item = {
  id: string
  /** `committed`: no more audio comes; `over`: told as completed or failed */
  state: 'open' | 'committed' | 'over'
  /** what kept some of it from being heard */
  problem: Problem | null
  /** how much audio was committed by hand */
  bufferMs: number | null
  /** its words that were told for good */
  told(): string
  /** more words for good; gives what is to be told behind those before, empty where nothing is */
  confirm(utterance: string, text: string): string
  /** what is told, and words behind it that may still change */
  withUnstable(text: string): string
  /** an utterance of it is written; gives what of it was not told yet, empty where it was written otherwise */
  write(utterance: string, final: FinalUtterance): string
  /** of all that was written */
  heard(): { transcript: string; segments: Segment[]; durationMs: number }
}

export function createItem(): Item {
  const finals: FinalUtterance[] = []
  let told = ''
  /** the one that was spoken last, and what had been told before it */
  let latest = { utterance: '', before: '', confirmed: '' }

  const grow = (utterance: string, confirmed: (before: string) => string | null): string => {
    if (utterance !== latest.utterance) latest = { utterance, before: told, confirmed: '' }
    const grown = confirmed(latest.confirmed)
    if (grown === null) return ''
    latest.confirmed = grown
    const whole = joinTexts([latest.before, grown])
    const delta = whole.slice(told.length)
    told = whole
    return delta
  }
  const item: Item = {
    id: createId('item'),
    state: 'open',
    problem: null,
    bufferMs: null,
    told: () => told,
    confirm: (utterance, text) => grow(utterance, (before) => before + text),
    withUnstable: (text) => joinTexts([told, text]),
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
