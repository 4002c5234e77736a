// What a client of whisper.cpp's server may ask for (get_req_parameters in its examples/server/server.cpp), and what is
// meant by it. Of its other parameters (of decoding and of speech detection) the answer says that they had no effect.

import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import type { TranscriptionRequest } from '../../../transcription/transcribe-recording.ts'
import { flag, openObject, wholeNumber } from '../../contract/schema.ts'
import { languageField } from '../../fields/language.ts'
import { promptField } from '../../fields/prompt.ts'

const maybe = (description: string) => Type.Optional(flag({ description, default: false }))
const withoutSpeakers = Type.Literal(false, { description: 'speakers are not told apart here' })
/** As whisper.cpp counts: a day is 86,400,000 ms. */
const count = (description: string) =>
  Type.Optional(wholeNumber({ description, minimum: 0, maximum: 2_147_483_647, default: 0 }))

export const inferenceFields = openObject({
  response_format: Type.Optional(oneOf(['json', 'text', 'srt', 'verbose_json', 'vtt'], { default: 'json' })),
  language: Type.Optional(languageField),
  detect_language: maybe('finds out the language from the first 30 seconds, and writes no text'),
  translate: maybe('writes English, whatever is spoken'),
  prompt: Type.Optional(promptField),
  offset_t: count(
    'begins so many milliseconds into the recording; times count from its beginning all the same',
  ),
  duration: count('length to transcribe, in ms; 0 means to the end'),
  max_len: count(
    'longest segment in characters; longer segments are split between words. 0 keeps the segments as they are',
  ),
  split_on_word: maybe('with `max_len` unset, splits at 60 characters; no segment ends within a word anyway'),
  offset_n: count('added to the numbers of SubRip subtitles'),
  no_timestamps: maybe('leaves times and words’ times out of `verbose_json`'),
  token_timestamps: Type.Optional(flag({ description: 'false leaves times of words out', default: true })),
  no_language_probabilities: maybe('leaves the detected language out of `verbose_json`'),
  vad: Type.Optional(
    flag({ description: 'whether speech is looked for first; by default as the settings say' }),
  ),
  diarize: Type.Optional(withoutSpeakers),
  tinydiarize: Type.Optional(withoutSpeakers),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, description: 'told in the answer; it rises by itself where that helps' }),
  ),
  temperature_inc: Type.Optional(Type.Number({ description: 'ignored' })),
})
export type InferenceFields = Static<typeof inferenceFields>

export const taskOf = ({ translate }: Partial<InferenceFields>) =>
  translate === true ? 'translate' : 'transcribe'

/** whisper.cpp looks no further to find out a language. */
const DETECTION_MS = 30_000
/** Where it splits unless told otherwise. */
const USUAL_MAX_LEN = 60
const USUAL_TEMPERATURE_INC = 0.2

export function excerptOf(asked: InferenceFields): NonNullable<TranscriptionRequest['excerpt']> {
  const fromMs = asked.offset_t ?? 0
  const lengthMs = asked.detect_language ? DETECTION_MS : asked.duration || Number.POSITIVE_INFINITY
  return { fromMs, toMs: fromMs + lengthMs }
}

/** Characters; null where segments stay as they are. */
export const maxLengthOf = ({ max_len: length, split_on_word: splits }: InferenceFields): number | null =>
  length || (splits ? USUAL_MAX_LEN : null)

/** What is known and has no effect as it was sent. */
export const withoutEffect = ({ temperature = 0, temperature_inc: rise }: InferenceFields): string[] => [
  ...(temperature > 0 ? ['temperature'] : []),
  ...(rise === undefined || rise === USUAL_TEMPERATURE_INC ? [] : ['temperature_inc']),
]
