import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { joinTexts } from '../../../transcription/transcript.ts'
import { captionFields } from '../../fields/caption-limits.ts'
import { type FindsModels, keywordsField, language, languageField, promptField } from '../../fields/fields.ts'
import { problemBody, problemOf } from '../../kernel/problem.ts'
import { flag, openObject, text } from '../../kernel/schema.ts'
import { type TranscriptionStreamOptions, transcriptionStream } from '../../transcribe/stream.ts'
import { openAiErrorBody } from '../error-shape.ts'
import { withWarnings } from '../ignored-fields.ts'
import { openAiDone, withLogprobs } from './schema.ts'

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
  ...captionFields,
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

export const keywordsOf = (requested: OpenAiFields): string[] => [
  ...(requested['keywords[]'] ?? []),
  // Servers based on faster-whisper take them as one comma-separated text.
  ...(requested.hotwords?.split(',') ?? []),
]

/** Known fields that have no effect with the values sent. */
export const optionsWithoutEffect = (requested: OpenAiFields): string[] => {
  const included = requested['include[]'] ?? []
  return [
    ...((requested.temperature ?? 0) > 0 ? ['temperature'] : []),
    ...(included.some((one) => one !== 'logprobs') || (included.length > 0 && !wantsLogprobs(requested))
      ? ['include[]']
      : []),
  ]
}

/** OpenAI's `verbose_json` has no field for log probabilities. */
export const wantsLogprobs = (requested: OpenAiFields): boolean =>
  requested['include[]']?.includes('logprobs') === true &&
  (requested.stream === true || (requested.response_format ?? 'json') === 'json')

/** OpenAI's name for Whisper; the only OpenAI name in the list of models. */
export const ANY_MODEL = 'whisper-1'

/** Such as gpt-4o-mini-transcribe, gpt-4o-transcribe-diarize, gpt-realtime-whisper and future names. */
const TRANSCRIBES = /^gpt-.*(transcribe|realtime)/

/** Null selects the preferred model. A known `whisper-…` selects that model; any other counts as OpenAI's. */
export async function meantModel(models: FindsModels, name: string | undefined): Promise<string | null> {
  if (name === undefined || name === ANY_MODEL || TRANSCRIBES.test(name)) return null
  if (!name.startsWith('whisper-')) return name
  return (await isKnown(models, name)) ? name : null
}

/**
 * The same for Azure, whose paths contain a deployment name that the user chose freely. Returns the first name that
 * selects a model of this server, or null for the preferred model.
 */
export async function deployedModel(
  models: FindsModels,
  names: readonly (string | undefined)[],
): Promise<string | null> {
  for (const name of names) {
    const meant = await meantModel(models, name)
    if (meant !== null && (await isKnown(models, meant))) return meant
  }
  return null
}

async function isKnown(models: FindsModels, name: string): Promise<boolean> {
  const found = await models.resolve(name)
  return found.ok || found.failure.code !== 'unknown_model'
}

const END = { data: '[DONE]' }

type Options = TranscriptionStreamOptions & {
  logprobs: boolean
  /** warnings about the request; the last event adds those of the transcription */
  warnings: readonly Warning[]
}

export function openAiStream({ logprobs, warnings, ...options }: Options): Promise<Response> {
  let sent = ''
  return transcriptionStream(options, {
    listeners: (push) => ({
      onSegment: (segment) => {
        const joined = joinTexts([sent, segment.text])
        if (joined === sent) return
        const delta = joined.slice(sent.length)
        push({ data: { type: 'transcript.text.delta', delta, ...withLogprobs([segment], logprobs) } })
        sent = joined
      },
    }),
    last: (transcribed) => [
      {
        data: transcribed.ok
          ? {
              ...openAiDone(transcribed.value, { logprobs }),
              ...withWarnings(uniqueWarnings(warnings, transcribed.value.warnings)),
            }
          : openAiErrorBody(problemBody(problemOf(transcribed.failure))),
      },
      END,
    ],
    broken: (problem) => [{ data: openAiErrorBody(problem) }, END],
    describe: openAiErrorBody,
  })
}
