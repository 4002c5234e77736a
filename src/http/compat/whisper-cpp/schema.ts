// Transcripts in the format of whisper.cpp's server. Values that the engine does not provide (tokens, token times) are empty
// or whisper.cpp's own placeholder.

import { type Static, Type } from '@sinclair/typebox'
import type { Segment } from '../../../engine/engine.ts'
import { nullable } from '../../../lib/schema.ts'
import { locateWords } from '../../../transcription/segment-edits.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { toSeconds, warningsField } from '../../fields/segment.ts'
import { strictObject } from '../../kernel/schema.ts'
import { languageName } from '../ignored-fields.ts'
import { type InferenceFields, taskOf } from './fields.ts'

export const WhisperCppTextSchema = strictObject(
  { text: Type.String({ description: 'one line per segment' }), warnings: Type.Optional(warningsField) },
  { $id: 'WhisperCppText' },
)

const WordSchema = strictObject(
  {
    word: Type.String({ description: 'begins with a space if the text has one there' }),
    start: Type.Optional(Type.Number()),
    end: Type.Optional(Type.Number()),
    t_dtw: Type.Optional(Type.Literal(-1, { description: 'always -1, whisper.cpp’s value when DTW is off' })),
    probability: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { $id: 'WhisperCppWord' },
)

const SegmentSchema = strictObject(
  {
    id: Type.Integer({ minimum: 0 }),
    text: Type.String({ description: 'begins with a space' }),
    start: Type.Optional(Type.Number()),
    end: Type.Optional(Type.Number()),
    tokens: Type.Array(Type.Integer(), { maxItems: 0, description: 'always empty' }),
    words: Type.Array(WordSchema),
    temperature: Type.Number({ description: 'the requested temperature' }),
    avg_logprob: nullable(Type.Number()),
    no_speech_prob: nullable(Type.Number()),
  },
  { $id: 'WhisperCppSegment' },
)

export const WhisperCppVerboseSchema = strictObject(
  {
    task: Type.Union([Type.Literal('transcribe'), Type.Literal('translate')]),
    language: Type.String({ description: 'English name in lowercase; empty if there was no speech' }),
    duration: Type.Number(),
    text: Type.String(),
    segments: Type.Array(SegmentSchema),
    detected_language: Type.Optional(Type.String({ description: 'only if the language was detected' })),
    detected_language_probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    language_probabilities: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.Number({ minimum: 0, maximum: 1 }), {
        description: 'probability of the detected language, keyed by language code',
        additionalProperties: false,
      }),
    ),
    warnings: Type.Optional(warningsField),
  },
  { $id: 'WhisperCppVerbose' },
)

export const whisperCppText = ({ segments }: Transcript): string =>
  segments.map(({ text }) => ` ${text}\n`).join('')

export const whisperCppVerbose = (
  transcript: Transcript,
  requested: InferenceFields,
): Static<typeof WhisperCppVerboseSchema> => ({
  task: taskOf(requested),
  language: languageName(transcript.language),
  duration: toSeconds(transcript.durationMs),
  text: whisperCppText(transcript),
  segments: transcript.segments.map((segment, id) => ({
    id,
    text: ` ${segment.text}`,
    ...(!requested.no_timestamps && { start: toSeconds(segment.startMs), end: toSeconds(segment.endMs) }),
    tokens: [],
    words: wordsOf(segment, { times: !requested.no_timestamps && requested.token_timestamps !== false }),
    temperature: requested.temperature ?? 0,
    avg_logprob: segment.avgLogprob,
    no_speech_prob: segment.noSpeechProb,
  })),
  ...(!requested.no_language_probabilities && detectedIn(transcript)),
})

/** Concatenated, the words are the segment's text, also in scripts without spaces. */
function wordsOf(segment: Segment, { times }: { times: boolean }): Static<typeof WordSchema>[] {
  const places = locateWords(segment)
  return segment.words.map(({ word, startMs, endMs, probability }, index) => {
    const from = places[index]?.from
    const isJoined = from !== undefined && from === places[index - 1]?.to
    return {
      word: `${isJoined ? '' : ' '}${word.trim()}`,
      ...(times && { start: toSeconds(startMs), end: toSeconds(endMs), t_dtw: -1 as const }),
      probability,
    }
  })
}

function detectedIn({ language, languageProbability }: Transcript) {
  if (language === null || languageProbability === null) return {}
  return {
    detected_language: languageName(language),
    detected_language_probability: languageProbability,
    language_probabilities: { [language]: languageProbability },
  }
}

/** Example in the OpenAPI document. */
export const whisperCppExample: Static<typeof WhisperCppVerboseSchema> = {
  task: 'transcribe',
  language: 'english',
  duration: 1.2,
  text: ' New message.\n',
  segments: [
    {
      id: 0,
      text: ' New message.',
      start: 0,
      end: 1.1,
      tokens: [],
      words: [
        { word: ' New', start: 0, end: 0.4, t_dtw: -1, probability: 0.93 },
        { word: ' message.', start: 0.4, end: 1.1, t_dtw: -1, probability: 0.97 },
      ],
      temperature: 0,
      avg_logprob: -0.21,
      no_speech_prob: 0.01,
    },
  ],
}
