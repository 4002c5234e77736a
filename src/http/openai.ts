// OpenAI's audio API: POST /v1/audio/transcriptions and /v1/audio/translations.
// The recording is heard as by POST /transcribe; only names, formats and errors are OpenAI's.

import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { IncomingAudio } from '../audio/audio-file.ts'
import type { DictationRequest, Heard } from '../dictation/dictation.ts'
import { formatTranscript } from '../transcription/formats.ts'
import { allAtOnce, faultOf } from './at-once.ts'
import { failureResponse } from './failure.ts'
import { type FormStage, formFields } from './form.ts'
import type { Run } from './hearing-stream.ts'
import { languageAsked, languageField, languageOf } from './language.ts'
import { checkModelInForm } from './model-fields.ts'
import { ANY_MODEL, meantModel } from './openai-model-name.ts'
import {
  OpenAiTranscriptionSchema,
  OpenAiVerboseSchema,
  openAiExample,
  openAiTranscription,
  openAiVerbose,
} from './openai-schema.ts'
import { openAiStream } from './openai-stream.ts'
import type { Fault, Problem } from './problem.ts'
import { keywordsField, promptField } from './prompt-fields.ts'
import { type Contract, defineRoute, type Representation, type Route } from './route.ts'
import { flag, ignoredNames, oneOf, openObject, text } from './schema.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeDeps, textResponse } from './transcribe.ts'
import { withRecording } from './with-recording.ts'

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
  keywords: Type.Optional(keywordsField('as `keywords[]`')),
  hotwords: Type.Optional(promptField),
  response_format: Type.Optional(oneOf(FORMATS, { default: 'json' })),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'ignored: it rises by itself where that helps' }),
  ),
}

const granularities = Type.Optional(
  Type.Array(oneOf(GRANULARITIES), { description: 'segments unless given; words only with `verbose_json`' }),
)

const transcriptionFields = openObject({
  ...sharedFields,
  language: Type.Optional(languageField),
  'timestamp_granularities[]': granularities,
  timestamp_granularities: granularities,
  stream: Type.Optional(flag({ description: 'answers with server-sent events', default: false })),
  chunking_strategy: Type.Optional(
    text({ maxLength: 1000, description: 'ignored: recordings of any length' }),
  ),
  'include[]': Type.Optional(Type.Array(text({ maxLength: 100 }), { description: 'ignored' })),
})
const translationFields = openObject(sharedFields)

type Fields = Static<typeof translationFields> & Partial<Static<typeof transcriptionFields>>
type Task = DictationRequest['task']

const NO_QUERY = openObject({})

const TRANSCRIPTION = formFields(transcriptionFields)
const TRANSLATION = formFields(translationFields)

export const openAiRoutes = (deps: TranscribeDeps): Route[] => [
  audioRoute(deps, {
    task: 'transcribe',
    fields: TRANSCRIPTION,
    path: '/v1/audio/transcriptions',
    operationId: 'createOpenAiTranscription',
    summary: "Transcribe a recording, in OpenAI's way",
  }),
  audioRoute(deps, {
    task: 'translate',
    fields: TRANSLATION,
    path: '/v1/audio/translations',
    operationId: 'createOpenAiTranslation',
    summary: "Translate a recording to English, in OpenAI's way",
  }),
]

type AudioRoute<F extends TObject> = Pick<Contract, 'path' | 'operationId' | 'summary'> & {
  task: Task
  fields: ReturnType<typeof formFields<F>>
}

const answers = (task: Task): Record<string, Representation> => ({
  'application/json': {
    schema: Type.Union([OpenAiTranscriptionSchema, OpenAiVerboseSchema]),
    example: { ...openAiExample, task },
  },
  'text/plain': { example: 'There is a new message.\n' },
  'application/x-subrip': { example: '1\n00:00:00,000 --> 00:00:02,300\nThere is a new message.\n' },
  'text/vtt': { example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.300\nThere is a new message.\n' },
  ...(task === 'transcribe' && {
    'text/event-stream': {
      example: `data: ${JSON.stringify({ type: 'transcript.text.delta', delta: 'There is' })}\n\ndata: [DONE]\n\n`,
    },
  }),
})

const audioRoute = <F extends TObject>(
  deps: TranscribeDeps,
  { task, fields, ...named }: AudioRoute<F>,
): Route =>
  defineRoute(
    {
      ...named,
      method: 'POST',
      description:
        "OpenAI's official clients work with only the base address changed. Nothing is kept; the dictionary is applied as the settings say, and `{{clipboard}}` in a snippet leaves nothing, since OpenAI’s clients have no field for it. Fields and query parameters that are not known here are ignored.",
      tag: 'openai',
      query: NO_QUERY,
      body: { kind: 'form', fields: fields.schema, file: { description: 'the recording' } },
      responses: { 200: { description: 'The transcript', content: answers(task) } },
      problems: TRANSCRIBE_PROBLEMS,
    },
    (request, { connection, query }) =>
      withRecording(
        deps,
        {
          ...{ request, connection, fields },
          check: (asked, stage) => check(deps, { task, ...(asked as Partial<Fields>) }, stage),
        },
        async ({ fields: asked, stored }, lease) => {
          const wanted = asked as Fields
          const ignored = [...ignoredNames(fields.schema, asked), ...Object.keys(query)]
          if (ignored.length > 0) deps.log.debug({ ignored }, 'fields that are not known here')
          const model = await meantModel(deps.models, wanted.model)
          const run = runOf(deps, stored, { task, model, asked: wanted })
          if (wanted.stream === true) {
            const dispose = lease.handOver()
            return openAiStream({ ...deps, run, dispose, clientGone: request.signal })
          }
          const heard = await run({ signal: AbortSignal.any([request.signal, deps.shutdown]) })
          return heard.ok ? formatted(heard.value, task, wanted) : failureResponse(heard.failure)
        },
      ),
  )

function runOf(
  { dictation, settings }: TranscribeDeps,
  { path, kind }: IncomingAudio,
  { task, model, asked }: { task: Task; model: string | null; asked: Fields },
): Run {
  return (listeners) =>
    dictation.hear({
      ...{ path, kind, task, model },
      language: languageAsked(asked.language, settings.current()),
      prompt: asked.prompt ?? null,
      keywords: keywordsOf(asked),
      applyDictionary: null,
      ...listeners,
    })
}

const keywordsOf = (asked: Fields): string[] => [
  ...(asked['keywords[]'] ?? []),
  ...(asked.keywords ?? []),
  // faster-whisper's servers take them as one text.
  ...(asked.hotwords?.split(',') ?? []),
]

const granularitiesOf = (asked: Partial<Fields>) =>
  asked['timestamp_granularities[]'] ?? asked.timestamp_granularities

async function check(
  { models }: TranscribeDeps,
  { task, ...asked }: Partial<Fields> & { task: Task },
  stage: FormStage,
): Promise<Problem | null> {
  const format = stage.faulty.has('response_format') ? 'verbose_json' : asked.response_format
  const isTooFine = stage.whole && granularitiesOf(asked)?.includes('word') && format !== 'verbose_json'
  // A name that means the preferred model is a name: a model may still follow where none was given.
  const model = asked.model && ((await meantModel(models, asked.model)) ?? ANY_MODEL)
  return allAtOnce([
    isTooFine ? faultOf(ONLY_VERBOSE) : null,
    await checkModelInForm(
      models,
      { model, language: languageOf(asked.language), task },
      { ...stage, at: AT },
    ),
  ])
}

const AT = { in: 'form', model: '/model', task: '/model' } as const

const ONLY_VERBOSE: Fault = {
  ...{ in: 'form', path: '/timestamp_granularities[]' },
  message: 'with `word` needs response_format=verbose_json',
}

function formatted(heard: Heard, task: Task, asked: Fields): Response {
  switch (asked.response_format ?? 'json') {
    case 'json':
      return Response.json(openAiTranscription(heard))
    case 'verbose_json': {
      const granularities = granularitiesOf(asked) ?? ['segment']
      const segments = granularities.includes('segment')
      return Response.json(openAiVerbose(heard, { task, segments, words: granularities.includes('word') }))
    }
    case 'text':
      return textResponse(formatTranscript(heard, 'txt'), 'text/plain')
    case 'srt':
      return textResponse(formatTranscript(heard, 'srt'), 'application/x-subrip')
    case 'vtt':
      return textResponse(formatTranscript(heard, 'vtt'), 'text/vtt')
  }
}
