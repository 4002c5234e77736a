// What a client of OpenAI's audio API may ask for, and what is meant by fields that go under several names.
// What is done with it is transcriptions.ts's.

import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import { flag, openObject, text } from '../../contract/schema.ts'
import { language, languageField } from '../../fields/language.ts'
import { keywordsField, promptField } from '../../fields/prompt.ts'

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const
const GRANULARITIES = ['word', 'segment'] as const

const sharedFields = {
  model: Type.Optional(
    text({
      description:
        'the names of OpenAI’s own models (`whisper-1`, `gpt-4o-transcribe`, …) take the preferred model; others as for POST /transcribe',
      minLength: 1,
      maxLength: 100,
    }),
  ),
  prompt: Type.Optional(promptField),
  'keywords[]': Type.Optional(keywordsField('terms that are likely to be said, besides the dictionary’s')),
  hotwords: Type.Optional(promptField),
  response_format: Type.Optional(oneOf(FORMATS, { default: 'json' })),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'ignored: it rises by itself where that helps' }),
  ),
}

export const transcriptionFields = openObject({
  ...sharedFields,
  language: Type.Optional(languageField),
  'languages[]': Type.Optional(
    Type.Array(language('a language that may be spoken'), {
      description:
        'what detection may choose from where no `language` is given; by default as the settings say',
      maxItems: 100,
    }),
  ),
  'timestamp_granularities[]': Type.Optional(
    Type.Array(oneOf(GRANULARITIES), {
      description: 'segments unless given; words only with `verbose_json`',
    }),
  ),
  stream: Type.Optional(flag({ description: 'answers with server-sent events', default: false })),
  chunking_strategy: Type.Optional(
    text({ maxLength: 1000, description: 'ignored: recordings of any length' }),
  ),
  'include[]': Type.Optional(
    Type.Array(text({ maxLength: 100 }), {
      description:
        '`logprobs` adds the log-probabilities of tokens to `json` and to streams; others are ignored',
    }),
  ),
})
export const translationFields = openObject(sharedFields)

export type OpenAiFields = Static<typeof translationFields> & Partial<Static<typeof transcriptionFields>>

export const keywordsOf = (asked: OpenAiFields): string[] => [
  ...(asked['keywords[]'] ?? []),
  // faster-whisper's servers take them as one text.
  ...(asked.hotwords?.split(',') ?? []),
]

/** What is known and has no effect as it was sent. */
export const optionsWithoutEffect = (asked: OpenAiFields): string[] => {
  const included = asked['include[]'] ?? []
  return [
    ...((asked.temperature ?? 0) > 0 ? ['temperature'] : []),
    ...(included.some((one) => one !== 'logprobs') || (included.length > 0 && !wantsLogprobs(asked))
      ? ['include[]']
      : []),
  ]
}

/** `verbose_json` has no place for them. */
export const wantsLogprobs = (asked: OpenAiFields): boolean =>
  asked['include[]']?.includes('logprobs') === true &&
  (asked.stream === true || (asked.response_format ?? 'json') === 'json')
