// What clients of OpenAI's realtime API say, checked: an event that can be acted on, or what is wrong with it.
// What is done with one is realtime-session.ts's.

import { fail, type Result, succeed } from '../../../../lib/result.ts'
import { createChecker } from '../../../contract/input.ts'
import { invalidRequest, type Problem } from '../../../contract/problem.ts'
import { openObject } from '../../../contract/schema.ts'
import {
  type AskedSession,
  askedIn,
  askedInOlder,
  olderSessionFields,
  sessionFields,
} from './session-config.ts'

export type ClientEvent =
  | { kind: 'update'; shape: 'current' | 'older'; asked: AskedSession }
  | { kind: 'append'; audio: Uint8Array }
  | { kind: 'commit' | 'clear' }

/** `eventId` is the client's own. */
export type EventFault = { eventId: string | null; problem: Problem; code?: string }

export type ReadEvent = { eventId: string | null; event: ClientEvent }

/** OpenAI's. */
const MAX_AUDIO_BYTES = 15 * 1024 ** 2

const checkUpdate = createChecker(openObject({ session: sessionFields }), 'body')
const checkOlderUpdate = createChecker(openObject({ session: olderSessionFields }), 'body')

const wrong = (path: string, message: string): Problem => invalidRequest([{ in: 'body', path, message }])

const NOT_JSON: Problem = { code: 'malformed_json', detail: 'An event is a JSON object, sent as text.' }

/** As any JSON body. Parsing 24 MB of nested lists would block the server for six seconds. */
const MAX_JSON_CHARACTERS = 1024 ** 2
const TOO_LARGE: Problem = {
  code: 'body_too_large',
  detail: 'An event may have 1 MiB besides the audio that input_audio_buffer.append holds.',
}

/** @param message null is a binary frame */
export function readEvent(message: string | null): Result<ReadEvent, EventFault> {
  if (message === null) return fail({ eventId: null, problem: NOT_JSON })
  const { json, audio } = apart(message)
  if (json.length > MAX_JSON_CHARACTERS) return fail({ eventId: null, problem: TOO_LARGE })
  const said = parsed(json)
  if (said === null) return fail({ eventId: null, problem: NOT_JSON })
  if (said.audio === '' && audio !== null) said.audio = audio
  const eventId = typeof said.event_id === 'string' ? said.event_id.slice(0, MAX_ID_CHARACTERS) : null
  const event = eventOf(said)
  return event.ok ? succeed({ eventId, event: event.value }) : fail({ eventId, problem: event.failure })
}

/** It is sent back with what is wrong. */
const MAX_ID_CHARACTERS = 512

/** A large event as small JSON, and its audio; base64 needs no parser. */
function apart(message: string): { json: string; audio: string | null } {
  const begins = message.length > MAX_JSON_CHARACTERS ? /"audio"\s*:\s*"/.exec(message) : null
  if (begins === null) return { json: message, audio: null }
  const from = begins.index + begins[0].length
  const to = message.indexOf('"', from)
  if (to < 0) return { json: message, audio: null }
  // Some encoders escape each slash.
  const audio = message.slice(from, to).replaceAll('\\/', '/')
  return { json: message.slice(0, from) + message.slice(to), audio }
}

function parsed(message: string): Record<string, unknown> | null {
  try {
    const said: unknown = JSON.parse(message)
    const isObject = said !== null && typeof said === 'object' && !Array.isArray(said)
    return isObject ? (said as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function eventOf(said: Record<string, unknown>): Result<ClientEvent, Problem> {
  switch (said.type) {
    case 'input_audio_buffer.append':
      return appended(said.audio)
    case 'input_audio_buffer.commit':
      return succeed({ kind: 'commit' })
    case 'input_audio_buffer.clear':
      return succeed({ kind: 'clear' })
    case 'session.update': {
      const checked = checkUpdate(said)
      if (!checked.ok) return fail(invalidRequest(checked.failure))
      return succeed({ kind: 'update', shape: 'current', asked: askedIn(checked.value.session) })
    }
    case 'transcription_session.update': {
      const checked = checkOlderUpdate(said)
      if (!checked.ok) return fail(invalidRequest(checked.failure))
      return succeed({ kind: 'update', shape: 'older', asked: askedInOlder(checked.value.session) })
    }
    default:
      return fail(wrong('/type', NOT_KNOWN))
  }
}

const NOT_KNOWN =
  'is none that a transcription session takes: session.update, input_audio_buffer.append, .commit and .clear'

function appended(audio: unknown): Result<ClientEvent, Problem> {
  if (typeof audio !== 'string') return fail(wrong('/audio', 'must be text: audio in base64'))
  // Four characters are three bytes.
  if (audio.length > (MAX_AUDIO_BYTES / 3) * 4 + 4)
    return fail(wrong('/audio', 'must have at most 15 MiB; send it in several events'))
  const bytes = fromBase64(audio)
  return bytes === null ? fail(wrong('/audio', 'must be base64')) : succeed({ kind: 'append', audio: bytes })
}

/** Several times as fast as Uint8Array.fromBase64; it skips what it does not know, which is missing in the end. */
function fromBase64(text: string): Uint8Array | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const characters = text.length - padding
  const isWhole = padding === 0 ? characters % 4 !== 1 : text.length % 4 === 0
  const bytes = Buffer.from(text, 'base64')
  return isWhole && bytes.length === Math.floor((characters * 3) / 4) ? bytes : null
}
