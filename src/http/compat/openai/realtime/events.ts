// The JSON events of OpenAI's realtime protocol that clients send and that the server sends.

import type { Segment } from '../../../../engine/engine.ts'
import { fail, type Result, succeed } from '../../../../lib/result.ts'
import { createChecker } from '../../../kernel/input.ts'
import { invalidRequest, type Problem, problemBody } from '../../../kernel/problem.ts'
import { openObject } from '../../../kernel/schema.ts'
import { openAiErrorBody } from '../../error-shape.ts'
import { withLogprobs } from '../schema.ts'
import {
  olderSessionFields,
  olderWireConfig,
  readOlderSession,
  readSession,
  type SessionConfig,
  type SessionUpdate,
  sessionFields,
  wireConfig,
} from './session-config.ts'

export type ClientEvent =
  | { kind: 'update'; shape: 'current' | 'older'; requested: SessionUpdate }
  | { kind: 'append'; audio: Uint8Array }
  | { kind: 'commit' | 'clear' }

/** `eventId` is the id that the client sent. */
export type EventFault = { eventId: string | null; problem: Problem; code?: string }

export type ReadEvent = { eventId: string | null; event: ClientEvent }

/** OpenAI's limit. */
const MAX_AUDIO_BYTES = 15 * 1024 ** 2

const checkUpdate = createChecker(openObject({ session: sessionFields }), 'body')
const checkOlderUpdate = createChecker(openObject({ session: olderSessionFields }), 'body')

const wrong = (path: string, message: string): Problem => invalidRequest([{ in: 'body', path, message }])

const NOT_JSON: Problem = {
  code: 'malformed_json',
  detail: 'An event must be a JSON object in a text frame.',
}

/** Same limit as for JSON bodies. Parsing 24 MB of nested lists would block the server for six seconds. */
const MAX_JSON_CHARACTERS = 1024 ** 2
const TOO_LARGE: Problem = {
  code: 'body_too_large',
  detail: 'An event may have up to 1 MiB, not counting the audio in input_audio_buffer.append.',
}

/** @param message null for a binary frame */
export function readEvent(message: string | null): Result<ReadEvent, EventFault> {
  if (message === null) return fail({ eventId: null, problem: NOT_JSON })
  const { json, audio } = apart(message)
  if (json.length > MAX_JSON_CHARACTERS) return fail({ eventId: null, problem: TOO_LARGE })
  const sent = parsed(json)
  if (sent === null) return fail({ eventId: null, problem: NOT_JSON })
  if (sent.audio === '' && audio !== null) sent.audio = audio
  const eventId = typeof sent.event_id === 'string' ? sent.event_id.slice(0, MAX_ID_CHARACTERS) : null
  const event = eventOf(sent)
  return event.ok ? succeed({ eventId, event: event.value }) : fail({ eventId, problem: event.failure })
}

/** Error events contain the client's id. */
const MAX_ID_CHARACTERS = 512

/** Splits a large event into small JSON and its base64 audio, which needs no JSON parser. */
function apart(message: string): { json: string; audio: string | null } {
  const begins = message.length > MAX_JSON_CHARACTERS ? /"audio"\s*:\s*"/.exec(message) : null
  if (begins === null) return { json: message, audio: null }
  const from = begins.index + begins[0].length
  const to = message.indexOf('"', from)
  if (to < 0) return { json: message, audio: null }
  // Some JSON encoders escape every slash.
  const audio = message.slice(from, to).replaceAll('\\/', '/')
  return { json: message.slice(0, from) + message.slice(to), audio }
}

function parsed(message: string): Record<string, unknown> | null {
  try {
    const sent: unknown = JSON.parse(message)
    const isObject = sent !== null && typeof sent === 'object' && !Array.isArray(sent)
    return isObject ? (sent as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function eventOf(sent: Record<string, unknown>): Result<ClientEvent, Problem> {
  switch (sent.type) {
    case 'input_audio_buffer.append':
      return appended(sent.audio)
    case 'input_audio_buffer.commit':
      return succeed({ kind: 'commit' })
    case 'input_audio_buffer.clear':
      return succeed({ kind: 'clear' })
    case 'session.update': {
      const checked = checkUpdate(sent)
      if (!checked.ok) return fail(invalidRequest(checked.failure))
      return succeed({ kind: 'update', shape: 'current', requested: readSession(checked.value.session) })
    }
    case 'transcription_session.update': {
      const checked = checkOlderUpdate(sent)
      if (!checked.ok) return fail(invalidRequest(checked.failure))
      return succeed({ kind: 'update', shape: 'older', requested: readOlderSession(checked.value.session) })
    }
    default:
      return fail(wrong('/type', NOT_KNOWN))
  }
}

const NOT_KNOWN =
  'is not an event that a transcription session accepts: session.update, input_audio_buffer.append, .commit or .clear'

function appended(audio: unknown): Result<ClientEvent, Problem> {
  if (typeof audio !== 'string') return fail(wrong('/audio', 'must be a string with base64 audio'))
  // Four base64 characters are three bytes.
  if (audio.length > (MAX_AUDIO_BYTES / 3) * 4 + 4)
    return fail(wrong('/audio', 'must have at most 15 MiB; send it in several events'))
  const bytes = fromBase64(audio)
  return bytes === null ? fail(wrong('/audio', 'must be base64')) : succeed({ kind: 'append', audio: bytes })
}

/**
 * Several times as fast as Uint8Array.fromBase64. Buffer.from skips invalid characters, so invalid input yields too few
 * bytes.
 */
function fromBase64(text: string): Uint8Array | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const characters = text.length - padding
  const isWhole = padding === 0 ? characters % 4 !== 1 : text.length % 4 === 0
  const bytes = Buffer.from(text, 'base64')
  return isWhole && bytes.length === Math.floor((characters * 3) / 4) ? bytes : null
}

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

export const transcriptCompleted = (
  itemId: string,
  transcribed: Heard,
  { logprobs }: { logprobs: boolean },
) => ({
  type: `${OF_ITEM}.completed`,
  ...ofItem(itemId),
  transcript: transcribed.transcript,
  ...withLogprobs(transcribed.segments, logprobs),
  usage: { type: 'duration', seconds: Math.round(transcribed.durationMs) / 1000 },
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
