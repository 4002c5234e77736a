// A transcript as whisper.cpp's server tells it: a line for each segment, each text with the space that its tokens have.
// What our engine does not tell (tokens, times of single tokens) is empty or whisper.cpp's own value for none.

import { type Static, Type } from '@sinclair/typebox'
import type { Segment } from '../../../engine/engine.ts'
import { nullable } from '../../../lib/schema.ts'
import { locateWords } from '../../../transcription/segment-edits.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { strictObject } from '../../contract/schema.ts'
import { toSeconds } from '../../fields/segment.ts'
import { warningsField } from '../../fields/warnings.ts'
import { languageName } from '../language-name.ts'
import { type InferenceFields, taskOf } from './fields.ts'

export const WhisperCppTextSchema = strictObject(
  { text: Type.String({ description: 'a line for each segment' }), warnings: Type.Optional(warningsField) },
  { $id: 'WhisperCppText' },
)

const WordSchema = strictObject(
  {
    word: Type.String({ description: 'begins with a space where the text has one' }),
    start: Type.Optional(Type.Number()),
    end: Type.Optional(Type.Number()),
    t_dtw: Type.Optional(
      Type.Literal(-1, { description: 'not told, as by whisper.cpp where it was not asked for' }),
    ),
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
    tokens: Type.Array(Type.Integer(), { maxItems: 0, description: 'not kept' }),
    words: Type.Array(WordSchema),
    temperature: Type.Number({ description: 'the one that was asked for' }),
    avg_logprob: nullable(Type.Number()),
    no_speech_prob: nullable(Type.Number()),
  },
  { $id: 'WhisperCppSegment' },
)

export const WhisperCppVerboseSchema = strictObject(
  {
    task: Type.Union([Type.Literal('transcribe'), Type.Literal('translate')]),
    language: Type.String({ description: 'its English name, in lower case; empty where nothing was said' }),
    duration: Type.Number(),
    text: Type.String(),
    segments: Type.Array(SegmentSchema),
    detected_language: Type.Optional(Type.String({ description: 'only where the language was found out' })),
    detected_language_probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    language_probabilities: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z]{2,3}$' }), Type.Number({ minimum: 0, maximum: 1 }), {
        description: 'of the language that was found, by its code',
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
  asked: InferenceFields,
): Static<typeof WhisperCppVerboseSchema> => ({
  task: taskOf(asked),
  language: languageName(transcript.language),
  duration: toSeconds(transcript.durationMs),
  text: whisperCppText(transcript),
  segments: transcript.segments.map((segment, id) => ({
    id,
    text: ` ${segment.text}`,
    ...(!asked.no_timestamps && { start: toSeconds(segment.startMs), end: toSeconds(segment.endMs) }),
    tokens: [],
    words: wordsOf(segment, { times: !asked.no_timestamps && asked.token_timestamps !== false }),
    temperature: asked.temperature ?? 0,
    avg_logprob: segment.avgLogprob,
    no_speech_prob: segment.noSpeechProb,
  })),
  ...(!asked.no_language_probabilities && detectedIn(transcript)),
})

/** One behind the other they are the segment's text, also in scripts without spaces. */
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

/** For the document. */
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
