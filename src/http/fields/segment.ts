// Segments, words and warnings on the wire: seconds from the start of the recording, as in other speech APIs. The engine
// uses ms.

import { type Static, Type } from '@sinclair/typebox'
import type { EngineInfo, Segment } from '../../engine/engine.ts'
import { nullable } from '../../lib/schema.ts'
import type { Warning } from '../../lib/warning.ts'
import { strictObject } from '../kernel/schema.ts'

const seconds = (description: string) => Type.Number({ minimum: 0, description })
const probability = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: `${description}; null if the engine does not report it`,
  })

const WordSchema = strictObject(
  {
    word: Type.String(),
    start: seconds('start in seconds'),
    end: seconds('end in seconds'),
    probability: probability('how sure the engine is of the word'),
  },
  { $id: 'Word' },
)

export const SegmentSchema = strictObject(
  {
    id: Type.Integer({ minimum: 0, description: 'counts from 0' }),
    start: seconds('start in seconds'),
    end: seconds('end in seconds'),
    text: Type.String(),
    language: nullable(Type.String(), {
      description:
        'ISO 639-1, the language used for this segment; with automatic detection it may change within a recording; null in captures of server versions that did not store it',
    }),
    avg_logprob: nullable(Type.Number(), {
      description: 'mean natural logarithm of the token probabilities; null if the engine does not report it',
    }),
    no_speech_prob: probability('probability that the segment contains no speech'),
    words: Type.Optional(Type.Array(WordSchema)),
  },
  { $id: 'Segment' },
)

export type WireSegment = Static<typeof SegmentSchema>

/** Milliseconds to seconds with three decimal places; more would be noise. */
export const toSeconds = (ms: number): number => Math.round(ms) / 1000

export const wireSegment = (segment: Segment, id: number, options: { words: boolean }): WireSegment => ({
  id,
  start: toSeconds(segment.startMs),
  end: toSeconds(segment.endMs),
  text: segment.text,
  language: segment.language ?? null,
  avg_logprob: segment.avgLogprob,
  no_speech_prob: segment.noSpeechProb,
  ...(options.words && {
    words: segment.words.map((word) => ({
      word: word.word,
      start: toSeconds(word.startMs),
      end: toSeconds(word.endMs),
      probability: word.probability,
    })),
  }),
})

const WarningSchema = strictObject(
  { code: Type.String(), message: Type.String() },
  {
    $id: 'Warning',
    description: 'An option that could not be applied, or something the user should know.',
  },
)

export const warningsField = Type.Array(WarningSchema)

export function warningsOf(
  engine: EngineInfo,
  requested: { prompt?: string | null | undefined; words?: boolean },
): Warning[] {
  const warnings: Warning[] = []
  if (requested.prompt && !engine.prompt) {
    const message = `The engine in use (${engine.name}) does not support prompts; the prompt was ignored.`
    warnings.push({ code: 'prompt_ignored', message })
  }
  if (requested.words && !engine.wordTimes) {
    const message = `The engine in use (${engine.name}) does not support word timestamps; the result has none.`
    warnings.push({ code: 'word_timestamps_ignored', message })
  }
  return warnings
}

/** For the OpenAPI document. */
export const warningExample: Warning = {
  code: 'prompt_ignored',
  message: 'The engine in use (whisper.cpp) does not support prompts; the prompt was ignored.',
}

export const EXAMPLE_CAPTURE = {
  id: '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11',
  createdAt: '2026-01-31T12:00:00.000Z',
}
