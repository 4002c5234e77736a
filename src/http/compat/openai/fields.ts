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
        'OpenAI’s own model names (`whisper-1`, `gpt-4o-transcribe`, …) select the preferred model; other names as in POST /transcribe',
      minLength: 1,
      maxLength: 100,
    }),
  ),
  prompt: Type.Optional(promptField),
  'keywords[]': Type.Optional(
    keywordsField('terms that are likely to occur, in addition to the dictionary’s'),
  ),
  hotwords: Type.Optional(promptField),
  response_format: Type.Optional(oneOf(FORMATS, { default: 'json' })),
  temperature: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'ignored: the server raises the temperature itself where that helps',
    }),
  ),
}

export const transcriptionFields = openObject({
  ...sharedFields,
  language: Type.Optional(languageField),
  'languages[]': Type.Optional(
    Type.Array(language('a language that may be spoken'), {
      description: 'languages to detect from if `language` is not given; default: as in the settings',
      maxItems: 100,
    }),
  ),
  'timestamp_granularities[]': Type.Optional(
    Type.Array(oneOf(GRANULARITIES), {
      description: 'default: segments; words only with `verbose_json`',
    }),
  ),
  stream: Type.Optional(flag({ description: 'true returns server-sent events', default: false })),
  chunking_strategy: Type.Optional(
    text({ maxLength: 1000, description: 'ignored: recordings of any length are accepted' }),
  ),
  'include[]': Type.Optional(
    Type.Array(text({ maxLength: 100 }), {
      description:
        '`logprobs` adds the log probabilities of tokens to `json` and to streams; other values are ignored',
    }),
  ),
})
export const translationFields = openObject(sharedFields)

export type OpenAiFields = Static<typeof translationFields> & Partial<Static<typeof transcriptionFields>>

export const keywordsOf = (asked: OpenAiFields): string[] => [
  ...(asked['keywords[]'] ?? []),
  // Servers based on faster-whisper take them as one comma-separated text.
  ...(asked.hotwords?.split(',') ?? []),
]

/** Known fields that have no effect with the values sent. */
export const optionsWithoutEffect = (asked: OpenAiFields): string[] => {
  const included = asked['include[]'] ?? []
  return [
    ...((asked.temperature ?? 0) > 0 ? ['temperature'] : []),
    ...(included.some((one) => one !== 'logprobs') || (included.length > 0 && !wantsLogprobs(asked))
      ? ['include[]']
      : []),
  ]
}

/** OpenAI's `verbose_json` has no field for log probabilities. */
export const wantsLogprobs = (asked: OpenAiFields): boolean =>
  asked['include[]']?.includes('logprobs') === true &&
  (asked.stream === true || (asked.response_format ?? 'json') === 'json')
