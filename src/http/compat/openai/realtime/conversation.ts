// A realtime session's items, and their events in the order that OpenAI's clients expect.

import type { FinalUtterance } from '../../../../dictation/live-dictation.ts'
import type { Segment } from '../../../../engine/engine.ts'
import { joinTexts } from '../../../../transcription/transcript.ts'
import type { Problem } from '../../../kernel/problem.ts'
import { createSettledText } from '../../../transcribe/live/settled-text.ts'
import {
  committed,
  createId,
  partialTranscript,
  speechStarted,
  speechStopped,
  transcriptCompleted,
  transcriptDelta,
  transcriptFailed,
} from './events.ts'
import { LOGPROBS, PARTIALS, PREFIX_MS } from './session-config.ts'

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
  const settled = createSettledText()

  const item: Item = {
    id: createId('item'),
    state: 'open',
    problem: null,
    bufferMs: null,
    sent: settled.sent,
    confirm: settled.confirm,
    withUnstable: (text) => joinTexts([settled.sent(), text]),
    write(utterance, final) {
      finals.push(final)
      return settled.write(utterance, final.text)
    },
    heard: () => ({
      transcript: joinTexts(finals.map(({ text }) => text)),
      segments: finals.flatMap(({ segments }) => segments),
      durationMs: item.bufferMs ?? finals.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    }),
  }
  return item
}

export type Conversation = {
  emit(event: object, isPassing?: boolean): void
  /** switches to the events of the API's first version */
  becomeOlder(): void
  isOlder(): boolean
  started(item: Item, speechMs: number): void
  stopped(item: Item, atMs: number): void
  confirm(item: Item, utterance: string, text: string): void
  showPartial(item: Item, text: string): void
  write(item: Item, utterance: string, final: FinalUtterance): void
  /** the item receives no more audio */
  commit(item: Item): void
  /** the item is completely transcribed, or has failed */
  conclude(item: Item): void
  fail(item: Item, problem: Problem): void
}

export type ConversationOptions = {
  send: (message: object, isPassing?: boolean) => void
  isOlder: boolean
  /** whether the current settings include this extra data in events */
  includes: (what: string) => boolean
}

export function createConversation({ send, includes, ...options }: ConversationOptions): Conversation {
  let { isOlder } = options
  let lastId: string | null = null
  const emit: Conversation['emit'] = (event, isPassing) =>
    send({ event_id: createId('event'), ...event }, isPassing)
  const emitDelta = ({ id }: Item, delta: string) => {
    if (delta !== '') emit(transcriptDelta(id, delta))
  }
  const commit = (item: Item) => {
    if (item.state !== 'open') return
    item.state = 'committed'
    for (const event of committed(item.id, lastId, { older: isOlder })) emit(event)
    lastId = item.id
  }
  const conclude = (item: Item) => {
    if (item.state === 'over') return
    item.state = 'over'
    const { id, problem } = item
    if (problem) emit(transcriptFailed(id, problem))
    else emit(transcriptCompleted(id, item.heard(), { logprobs: includes(LOGPROBS) }))
  }
  return {
    emit,
    isOlder: () => isOlder,
    becomeOlder() {
      isOlder = true
    },
    started: ({ id }, speechMs) => emit(speechStarted(id, speechMs - PREFIX_MS)),
    stopped: ({ id }, atMs) => emit(speechStopped(id, atMs)),
    confirm: (item, utterance, text) => emitDelta(item, item.confirm(utterance, text)),
    showPartial(item, text) {
      if (!includes(PARTIALS)) return
      const words = { transcript: item.withUnstable(text), confirmed: item.sent(), unstable: text }
      emit(partialTranscript(item.id, words), true)
    },
    write: (item, utterance, final) => emitDelta(item, item.write(utterance, final)),
    commit,
    conclude,
    fail(item, problem) {
      item.problem ??= problem
      commit(item)
      conclude(item)
    },
  }
}
