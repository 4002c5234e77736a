// Builds the server events of OpenAI's realtime API. The event ids are added when an event is sent.

import type { Segment } from '../../../../engine/engine.ts'
import { type Problem, problemBody } from '../../../contract/problem.ts'
import { openAiErrorBody } from '../error.ts'
import { withLogprobs } from '../schema.ts'
import { olderWireConfig, type SessionConfig, wireConfig } from './session-config.ts'

export const createId = (kind: 'sess' | 'item' | 'event'): string =>
  `${kind}_${crypto.randomUUID().replaceAll('-', '')}`

type Session = { id: string; config: SessionConfig; isOlder: boolean }

export const sessionEvent = (what: 'created' | 'updated', { id, config, isOlder }: Session) => ({
  type: isOlder ? `transcription_session.${what}` : `session.${what}`,
  session: isOlder ? olderWireConfig(id, config) : wireConfig(id, config),
})

/** An error caused by a client event contains that event's id. `code` is OpenAI's own code if clients rely on it. */
export function errorEvent(
  problem: Problem,
  { eventId = null, code }: { eventId?: string | null; code?: string } = {},
) {
  const error = errorOf(problem)
  return { type: 'error', error: { ...error, code: code ?? error.code, event_id: eventId } }
}

/** OpenAI's errors write paths with dots instead of slashes. */
function errorOf(problem: Problem) {
  const { error } = openAiErrorBody(problemBody(problem))
  return { ...error, param: error.param?.replaceAll('/', '.') ?? null }
}

export const speechStarted = (itemId: string, atMs: number) => ({
  type: 'input_audio_buffer.speech_started',
  audio_start_ms: Math.max(0, Math.round(atMs)),
  item_id: itemId,
})

export const speechStopped = (itemId: string, atMs: number) => ({
  type: 'input_audio_buffer.speech_stopped',
  audio_end_ms: Math.round(atMs),
  item_id: itemId,
})

export const BUFFER_CLEARED = { type: 'input_audio_buffer.cleared' }

/**
 * The buffer became an item. The current API reports it as `added` and `done`, its first version as `created`.
 */
export function committed(
  itemId: string,
  previousId: string | null,
  { older }: { older: boolean },
): object[] {
  const place = { previous_item_id: previousId }
  const item = {
    id: itemId,
    object: 'realtime.item',
    type: 'message',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_audio', transcript: null }],
  }
  return [
    { type: 'input_audio_buffer.committed', ...place, item_id: itemId },
    ...(older ? ['created'] : ['added', 'done']).map((what) => ({
      type: `conversation.item.${what}`,
      ...place,
      item,
    })),
  ]
}

const OF_ITEM = 'conversation.item.input_audio_transcription'

/** An item has exactly one content part. */
const ofItem = (itemId: string) => ({ item_id: itemId, content_index: 0 })

export const transcriptDelta = (itemId: string, delta: string) => ({
  type: `${OF_ITEM}.delta`,
  ...ofItem(itemId),
  delta,
})

type Heard = { transcript: string; segments: readonly Segment[]; durationMs: number }

export const transcriptCompleted = (itemId: string, heard: Heard, { logprobs }: { logprobs: boolean }) => ({
  type: `${OF_ITEM}.completed`,
  ...ofItem(itemId),
  transcript: heard.transcript,
  ...withLogprobs(heard.segments, logprobs),
  usage: { type: 'duration', seconds: Math.round(heard.durationMs) / 1000 },
})

export function transcriptFailed(itemId: string, problem: Problem) {
  const { type, code, message } = errorOf(problem)
  return { type: `${OF_ITEM}.failed`, ...ofItem(itemId), error: { type, code, message } }
}

/** Not an OpenAI event; the name is that of Speaches. Everything transcribed so far; the part after `confirmed` may change. */
export const partialTranscript = (
  itemId: string,
  words: { transcript: string; confirmed: string; unstable: string },
) => ({
  type: 'input_audio_buffer.partial_transcription',
  item_id: itemId,
  ...words,
})
