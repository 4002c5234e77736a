// Form fields of whisper.cpp's server (get_req_parameters in its examples/server/server.cpp).
// Parameters for decoding and speech detection have no effect and are reported as ignored.

import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import type { TranscriptionRequest } from '../../../transcription/transcribe-recording.ts'
import { languageField, promptField } from '../../fields/fields.ts'
import { flag, openObject, wholeNumber } from '../../kernel/schema.ts'

const maybe = (description: string) => Type.Optional(flag({ description, default: false }))
const withoutSpeakers = Type.Literal(false, { description: 'speaker diarization is not supported' })
/** whisper.cpp uses 32-bit integers; a day is 86,400,000 ms. */
const count = (description: string) =>
  Type.Optional(wholeNumber({ description, minimum: 0, maximum: 2_147_483_647, default: 0 }))

export const inferenceFields = openObject({
  response_format: Type.Optional(oneOf(['json', 'text', 'srt', 'verbose_json', 'vtt'], { default: 'json' })),
  language: Type.Optional(languageField),
  detect_language: maybe('true detects the language from the first 30 seconds and returns no text'),
  translate: maybe('true translates to English'),
  prompt: Type.Optional(promptField),
  offset_t: count(
    'start of the transcription within the recording, in milliseconds; times still count from the start of the recording',
  ),
  duration: count('length to transcribe, in ms; 0 means to the end'),
  max_len: count(
    'longest segment in characters; longer segments are split between words. 0: segments are not split',
  ),
  split_on_word: maybe(
    'without `max_len`, true splits at 60 characters; segments never end inside a word in any case',
  ),
  offset_n: count('offset added to the numbers of SubRip subtitles'),
  no_timestamps: maybe('true omits the times of segments and words from `verbose_json`'),
  token_timestamps: Type.Optional(flag({ description: 'false omits the times of words', default: true })),
  no_language_probabilities: maybe('true omits the detected language from `verbose_json`'),
  vad: Type.Optional(
    flag({ description: 'whether speech detection runs first; default: as in the settings' }),
  ),
  diarize: Type.Optional(withoutSpeakers),
  tinydiarize: Type.Optional(withoutSpeakers),
  temperature: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'only returned in the response; the server raises the temperature itself where that helps',
    }),
  ),
  temperature_inc: Type.Optional(Type.Number({ description: 'ignored' })),
})
export type InferenceFields = Static<typeof inferenceFields>

export const taskOf = ({ translate }: Partial<InferenceFields>) =>
  translate === true ? 'translate' : 'transcribe'

/** whisper.cpp uses only this much audio to detect a language. */
const DETECTION_MS = 30_000
/** whisper.cpp's default. */
const USUAL_MAX_LEN = 60
const USUAL_TEMPERATURE_INC = 0.2

export function excerptOf(requested: InferenceFields): NonNullable<TranscriptionRequest['excerpt']> {
  const fromMs = requested.offset_t ?? 0
  const lengthMs = requested.detect_language ? DETECTION_MS : requested.duration || Number.POSITIVE_INFINITY
  return { fromMs, toMs: fromMs + lengthMs }
}

/** In characters; null: segments are not split. */
export const maxLengthOf = ({ max_len: length, split_on_word: splits }: InferenceFields): number | null =>
  length || (splits ? USUAL_MAX_LEN : null)

/** Known fields that have no effect with the values sent. */
export const withoutEffect = ({ temperature = 0, temperature_inc: rise }: InferenceFields): string[] => [
  ...(temperature > 0 ? ['temperature'] : []),
  ...(rise === undefined || rise === USUAL_TEMPERATURE_INC ? [] : ['temperature_inc']),
]
