import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/schema.ts'
import { uniqueWarnings, type Warning } from '../../lib/warning.ts'
import type { Transcript } from '../../transcription/transcript.ts'
import { SegmentSchema, toSeconds, warningsField, wireSegment } from '../fields/segment.ts'
import { strictObject } from '../kernel/schema.ts'

export const TranscriptionSchema = strictObject(
  {
    text: Type.String({ description: 'empty if there was no speech' }),
    duration: Type.Number({ minimum: 0, description: 'length of the recording in seconds' }),
    language: nullable(Type.String(), { description: 'ISO 639-1; null if there was no speech' }),
    language_probability: nullable(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'null if the language was given or the engine does not provide it',
    }),
    model: Type.String({ description: 'the model that was used' }),
    processing_ms: Type.Integer({ minimum: 0, description: 'time for decoding and recognition' }),
    segments: Type.Array(SegmentSchema),
    warnings: warningsField,
  },
  { $id: 'Transcription' },
)
export type Transcription = Static<typeof TranscriptionSchema>

export type WireOptions = { words: boolean; warnings: Warning[] }

export const wireTranscription = (
  transcript: Transcript & { warnings: Warning[] },
  { words, warnings }: WireOptions,
): Transcription => ({
  text: transcript.text,
  duration: toSeconds(transcript.durationMs),
  language: transcript.language,
  language_probability: transcript.languageProbability,
  model: transcript.model,
  processing_ms: Math.round(transcript.processingMs.decode + transcript.processingMs.transcribe),
  segments: transcript.segments.map((segment, id) => wireSegment(segment, id, { words })),
  warnings: uniqueWarnings(warnings, transcript.warnings),
})

/** Example in the OpenAPI document. */
export const transcriptionExample: Transcription = {
  text: 'There is a new message from your office.',
  duration: 2.38,
  language: 'en',
  language_probability: null,
  model: 'base-q5_1',
  processing_ms: 4222,
  segments: [
    {
      id: 0,
      start: 0,
      end: 2.3,
      text: 'There is a new message from your office.',
      language: 'en',
      avg_logprob: -0.21,
      no_speech_prob: null,
    },
  ],
  warnings: [],
}
