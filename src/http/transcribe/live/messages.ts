// The messages and close codes of WS /transcribe/live.

import type { LiveEvent } from '../../../dictation/live-dictation.ts'
import { fail, type Result, succeed } from '../../../lib/result.ts'
import { toSeconds, type WireSegment, wireSegment } from '../../fields/segment.ts'
import { type Problem, type ProblemBody, type ProblemCode, problemBody } from '../../kernel/problem.ts'

/** Times are seconds from the first sample; utterances are numbered from 1. */
export type LiveMessage =
  | { type: 'ready'; model: string; language: string | null; rate: number }
  | { type: 'speech_started' | 'speech_stopped'; utterance: number; time: number }
  | { type: 'partial'; utterance: number; text: string }
  | { type: 'confirmed'; utterance: number; text: string; start: number; end: number }
  | {
      type: 'final'
      utterance: number
      start: number
      end: number
      text: string
      refined_text: string | null
      writing_style_id: string | null
      language: string | null
      language_probability: number | null
      model: string
      segments: WireSegment[]
    }
  /** sent after the last final if the stream is saved */
  | { type: 'kept'; capture_id: string }
  | { type: 'warning'; code: string; message: string }
  | ({ type: 'error' } & Omit<ProblemBody, 'type'>)

export function messageOf(event: LiveEvent, options: { words: boolean }): LiveMessage {
  switch (event.kind) {
    case 'speech_started':
    case 'speech_stopped':
      return { type: event.kind, utterance: event.utterance, time: toSeconds(event.atMs) }
    case 'partial':
      return { type: event.kind, utterance: event.utterance, text: event.text }
    case 'confirmed': {
      const { kind, utterance, text, startMs, endMs } = event
      return { type: kind, utterance, text, start: toSeconds(startMs), end: toSeconds(endMs) }
    }
    case 'final':
      return {
        type: event.kind,
        utterance: event.utterance,
        start: toSeconds(event.startMs),
        end: toSeconds(event.endMs),
        text: event.text,
        refined_text: event.refined?.text ?? null,
        writing_style_id: event.refined?.writingStyleId ?? null,
        language: event.language,
        language_probability: event.languageProbability,
        model: event.model,
        segments: event.segments.map((segment, id) => wireSegment(segment, id, options)),
      }
    case 'warning':
      return { type: event.kind, code: event.code, message: event.message }
  }
}

/** The same fields as a problem in HTTP, except for `type`, which identifies the message. */
export function errorMessage(problem: Problem): LiveMessage {
  const { type: _, ...body } = problemBody(problem)
  return { type: 'error', ...body }
}

/** About one minute of 16-bit samples at 8 kHz; the page sends a tenth of a second at a time. */
const MAX_AUDIO_BYTES = 1024 ** 2

/** First bytes of files sent instead of samples: WAV, Ogg, WebM as recorded by browsers, FLAC, MP3 with an ID3 tag. */
const FILES = ['RIFF', 'OggS', '\x1a\x45\xdf\xa3', 'fLaC', 'ID3']
/** Follows the box size; MediaRecorder in older Safari produces MP4. */
const MP4_BOX = 'ftyp'

/** Null if the frame is not too large. */
export function tooLargeFrame(bytes: Uint8Array): Problem | null {
  if (bytes.length <= MAX_AUDIO_BYTES) return null
  const detail = `A frame may have up to 1 MB; this one has ${bytes.length} bytes.`
  return { code: 'body_too_large', detail }
}

/** Null if the bytes do not look like the start of a file. */
export function fileInPlaceOfSamples(bytes: Uint8Array): Problem | null {
  const isFile = FILES.some((start) => latin1(bytes, start.length) === start)
  if (!isFile && latin1(bytes.subarray(4), MP4_BOX.length) !== MP4_BOX) return null
  const detail = 'This is the beginning of a file. Send only its samples (16-bit little-endian mono PCM).'
  return { code: 'unsupported_audio', detail }
}

/** For streams opened with encoding=opus. */
export const NO_PACKED_OPUS: Problem = {
  code: 'unsupported_audio',
  detail: 'encoding=opus requires Opus in WebM or Ogg, as MediaRecorder produces it. This audio is neither.',
}

const latin1 = (bytes: Uint8Array, length: number): string =>
  String.fromCharCode(...bytes.subarray(0, length))

const NOT_KNOWN: Problem = {
  code: 'invalid_request',
  detail: 'The only accepted text message is {"type":"stop"}. Send audio in binary frames.',
}

/** Leaves room for fields that later versions may add; parsing megabytes would block the server. */
const MAX_COMMAND_CHARACTERS = 1000

/** `stop` is the only command. */
export function readCommand(text: string): Result<'stop', Problem> {
  if (text.length > MAX_COMMAND_CHARACTERS) return fail(NOT_KNOWN)
  try {
    const sent: unknown = JSON.parse(text)
    const isStop = sent !== null && typeof sent === 'object' && 'type' in sent && sent.type === 'stop'
    return isStop ? succeed('stop') : fail(NOT_KNOWN)
  } catch {
    return fail(NOT_KNOWN)
  }
}

/** RFC 6455, section 7.4.1, and its registry. */
export const CLOSED = { done: 1000, goingAway: 1001 } as const

const CLOSE_CODES: Partial<Record<ProblemCode, number>> = {
  shutting_down: CLOSED.goingAway,
  invalid_request: 1003,
  unsupported_audio: 1003,
  undecodable_audio: 1003,
  stream_ended: 1008,
  nothing_received: 1008,
  reader_too_slow: 1008,
  body_too_large: 1009,
  file_too_large: 1009,
  too_far_behind: 1013,
}
const UNEXPECTED = 1011

export const closeCodeOf = ({ code }: Problem): number => CLOSE_CODES[code] ?? UNEXPECTED
