// Transcripts in the formats of OpenAI's audio API. Values that the engine does not provide are empty or 0, because typed
// clients reject null there.

import { deflateSync } from 'node:zlib'
import { type Static, Type } from '@sinclair/typebox'
import type { Segment } from '../../../engine/engine.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { toSeconds, warningsField } from '../../fields/segment.ts'
import { strictObject } from '../../kernel/schema.ts'
import { languageName } from '../ignored-fields.ts'

const UsageSchema = strictObject(
  {
    type: Type.Literal('duration'),
    seconds: Type.Integer({ minimum: 0, description: 'length of the recording, rounded up' }),
  },
  { $id: 'OpenAiUsage' },
)

const LogprobSchema = strictObject(
  {
    token: Type.String({
      description: 'including the leading space; an incomplete character is a replacement character',
    }),
    logprob: Type.Number({ maximum: 0, description: 'natural logarithm of the probability' }),
    bytes: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
      description: 'UTF-8 bytes of the token',
    }),
  },
  { $id: 'OpenAiLogprob' },
)

export const OpenAiTranscriptionSchema = strictObject(
  {
    text: Type.String(),
    logprobs: Type.Optional(
      Type.Array(LogprobSchema, {
        description:
          'with `include[]=logprobs`: the recognised tokens, before the dictionary changed the text; absent if the engine does not provide them',
      }),
    ),
    usage: UsageSchema,
    warnings: Type.Optional(warningsField),
  },
  { $id: 'OpenAiTranscription' },
)

const NOT_PROVIDED = '0 if the engine does not provide it, because OpenAI’s typed clients require a number'

const OpenAiSegmentSchema = strictObject(
  {
    id: Type.Integer({ minimum: 0 }),
    seek: Type.Literal(0, { description: 'always 0, because OpenAI’s typed clients require a number' }),
    start: Type.Number(),
    end: Type.Number(),
    text: Type.String({ description: 'begins with a space, as in OpenAI’s API' }),
    tokens: Type.Array(Type.Integer(), { maxItems: 0, description: 'always empty' }),
    temperature: Type.Literal(0, { description: 'always 0, like `seek`' }),
    avg_logprob: Type.Number({ description: NOT_PROVIDED }),
    compression_ratio: Type.Number({ description: 'ratio of the text’s size to its compressed size' }),
    no_speech_prob: Type.Number({ description: NOT_PROVIDED }),
  },
  { $id: 'OpenAiSegment' },
)

const OpenAiWordSchema = strictObject(
  { word: Type.String(), start: Type.Number(), end: Type.Number() },
  { $id: 'OpenAiWord' },
)

export const OpenAiVerboseSchema = strictObject(
  {
    task: Type.Union([Type.Literal('transcribe'), Type.Literal('translate')]),
    language: Type.String({ description: 'English name in lowercase; empty if there was no speech' }),
    duration: Type.Number(),
    text: Type.String(),
    segments: Type.Optional(Type.Array(OpenAiSegmentSchema)),
    words: Type.Optional(Type.Array(OpenAiWordSchema)),
    usage: UsageSchema,
    warnings: Type.Optional(warningsField),
  },
  { $id: 'OpenAiVerboseTranscription' },
)

const usageOf = ({ durationMs }: Transcript): Static<typeof UsageSchema> => ({
  type: 'duration',
  seconds: Math.ceil(durationMs / 1000),
})

type Logprob = Static<typeof LogprobSchema>

/** Null if the engine does not provide tokens. */
export function logprobsOf(segments: readonly Segment[]): Logprob[] | null {
  const tokenLists = segments.flatMap(({ words }) => words.map(({ tokens }) => tokens))
  if (tokenLists.includes(undefined)) return null
  return tokenLists.flatMap((tokens = []) =>
    tokens.map(({ bytes, logprob }) => ({
      token: Buffer.from(bytes).toString(),
      // Rounding can raise a logprob near 0 above 0.
      logprob: Math.min(0, logprob),
      bytes,
    })),
  )
}

/** Members of a response or event about these segments. */
export function withLogprobs(segments: readonly Segment[], wanted: boolean): { logprobs?: Logprob[] } {
  const logprobs = wanted ? logprobsOf(segments) : null
  return logprobs === null ? {} : { logprobs }
}

export const openAiTranscription = (
  transcript: Transcript,
  { logprobs }: { logprobs: boolean },
): Static<typeof OpenAiTranscriptionSchema> => ({
  text: transcript.text,
  ...withLogprobs(transcript.segments, logprobs),
  usage: usageOf(transcript),
})

type Verbosity = { task: 'transcribe' | 'translate'; segments: boolean; words: boolean }

export const openAiVerbose = (
  transcript: Transcript,
  { task, segments, words }: Verbosity,
): Static<typeof OpenAiVerboseSchema> => ({
  task,
  language: languageName(transcript.language),
  duration: toSeconds(transcript.durationMs),
  text: transcript.text,
  ...(segments && { segments: transcript.segments.map(openAiSegment) }),
  ...(words && { words: transcript.segments.flatMap(openAiWords) }),
  usage: usageOf(transcript),
})

const openAiSegment = (segment: Segment, id: number): Static<typeof OpenAiSegmentSchema> => ({
  id,
  seek: 0,
  start: toSeconds(segment.startMs),
  end: toSeconds(segment.endMs),
  text: ` ${segment.text}`,
  tokens: [],
  temperature: 0,
  avg_logprob: segment.avgLogprob ?? 0,
  compression_ratio: compressionRatio(segment.text),
  no_speech_prob: segment.noSpeechProb ?? 0,
})

/** The measure of repetition in OpenAI's Whisper (zlib, UTF-8). */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length / deflateSync(bytes).length
}

const openAiWords = ({ words }: Segment): Static<typeof OpenAiWordSchema>[] =>
  words.map(({ word, startMs, endMs }) => ({ word, start: toSeconds(startMs), end: toSeconds(endMs) }))

/** The last event of a stream, after the `transcript.text.delta` events. */
export const openAiDone = (transcript: Transcript, requested: { logprobs: boolean }) => ({
  type: 'transcript.text.done',
  ...openAiTranscription(transcript, requested),
})

/** Example in the OpenAPI document. */
export const openAiExample: Static<typeof OpenAiVerboseSchema> = {
  task: 'transcribe',
  language: 'english',
  duration: 2.38,
  text: 'There is a new message.',
  segments: [
    {
      id: 0,
      seek: 0,
      start: 0,
      end: 2.3,
      text: ' There is a new message.',
      tokens: [],
      temperature: 0,
      avg_logprob: -0.21,
      compression_ratio: 0.74,
      no_speech_prob: 0.01,
    },
  ],
  usage: { type: 'duration', seconds: 3 },
}
