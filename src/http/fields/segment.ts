// Segments and words on the wire: seconds from the start of the recording, as every speech API has them.
// Made from the engine's own, which count milliseconds.

import { type Static, Type } from '@sinclair/typebox'
import type { Segment } from '../../engine/engine.ts'
import { nullable } from '../../lib/schema.ts'
import { strictObject } from '../contract/schema.ts'

const seconds = (description: string) => Type.Number({ minimum: 0, description })
const probability = (description: string) =>
  nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: `${description}; null where the engine cannot say`,
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
        'ISO 639-1, what this was heard as: where nobody named a language it may change within a recording; null in captures that were heard before this was told',
    }),
    avg_logprob: nullable(Type.Number(), {
      description: 'mean natural logarithm of the token probabilities; null where the engine cannot say',
    }),
    no_speech_prob: probability('how likely nothing was said'),
    words: Type.Optional(Type.Array(WordSchema)),
  },
  { $id: 'Segment' },
)

export type WireSegment = Static<typeof SegmentSchema>

/** Milliseconds to seconds with three places: more would be noise. */
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
