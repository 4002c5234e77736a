// Reads a `verbose_json` transcription. The server is not trusted: any value may be missing, out of range or unstorable.
// OpenAI and Local Dictation list the words beside the segments, without probabilities; whisper.cpp lists tokens in each
// segment, with the space before each word.

import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Segment, Word } from './engine.ts'
import { wordsOf } from './words.ts'

const optional = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const PieceSchema = Type.Object({
  word: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  probability: optional(Type.Number()),
})

const SegmentSchema = Type.Object({
  start: Type.Number(),
  end: Type.Number(),
  text: Type.String(),
  avg_logprob: optional(Type.Number()),
  no_speech_prob: optional(Type.Number()),
  words: optional(Type.Array(PieceSchema)),
})

const AnswerSchema = Type.Object({
  language: Type.Optional(Type.Unknown()),
  segments: Type.Array(SegmentSchema),
  words: optional(Type.Array(PieceSchema)),
})

const checked = TypeCompiler.Compile(AnswerSchema)

/** A word or a part of one. */
type Piece = Static<typeof PieceSchema>

export type RemoteAnswer = {
  /** as the server writes it: a code or a name */
  language: string | null
  segments: Segment[]
}

/** Null if it is not such a transcription. @param lengthMs of the window; no time is later */
export function readRemoteAnswer(json: unknown, lengthMs: number): RemoteAnswer | null {
  if (!checked.Check(json)) return null
  const toMs = (seconds: number) => Math.round(Math.min(Math.max(0, seconds * 1000), lengthMs))
  const beside = [...(json.words ?? [])]
  let endMs = 0
  const segments = json.segments.map((segment, index): Segment => {
    const isLast = index === json.segments.length - 1
    const later = beside.findIndex(({ start, end }) => (start + end) / 2 >= segment.end)
    const own = beside.splice(0, isLast || later < 0 ? beside.length : later)
    const startMs = Math.max(endMs, toMs(segment.start))
    endMs = Math.max(startMs, toMs(segment.end))
    return {
      startMs,
      endMs,
      text: storable(segment.text).trim(),
      // Local Dictation sends 0 for a value that its engine does not provide.
      avgLogprob: segment.avg_logprob || null,
      noSpeechProb: segment.no_speech_prob || null,
      words: wordsIn(segment.words ?? own, toMs),
    }
  })
  return {
    language: typeof json.language === 'string' ? json.language : null,
    segments: segments.filter(({ text }) => text !== ''),
  }
}

function wordsIn(pieces: readonly Piece[], toMs: (seconds: number) => number): Word[] {
  const areWhole = !pieces.some(({ word }) => word.startsWith(' '))
  const words = wordsOf(
    pieces.map(({ word, start, end, probability }) => ({
      bytes: Buffer.from(storable(areWhole ? ` ${word}` : word)),
      startMs: toMs(start),
      endMs: toMs(Math.max(start, end)),
      probability: Math.min(1, Math.max(0, probability ?? 1)),
    })),
  )
  const areRated = pieces.some(({ probability }) => typeof probability === 'number')
  return areRated ? words : words.map((word) => ({ ...word, probability: null }))
}

/** Postgres stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
