// OpenAI's audio API: POST /v1/audio/transcriptions and /v1/audio/translations, and the same at Azure's addresses.
// The recording is heard as by POST /transcribe; only names, formats and errors are OpenAI's.

import { type TObject, Type } from '@sinclair/typebox'
import type { IncomingAudio } from '../../../audio/audio-file.ts'
import type { DictatedTranscript, DictationRequest } from '../../../dictation/dictation.ts'
import { failureResponse } from '../../contract/failure.ts'
import { type FormStage, formFields } from '../../contract/form.ts'
import { faultOf, joinProblems } from '../../contract/join-problems.ts'
import type { Fault, Problem } from '../../contract/problem.ts'
import { type Contract, defineRoute, type Representation, type Route } from '../../contract/route.ts'
import { ignoredNames, openObject, strictObject, text } from '../../contract/schema.ts'
import { askedLanguage, languageAsked } from '../../fields/language.ts'
import { checkModelInForm } from '../../fields/model.ts'
import { withRecording } from '../../recording/lease.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/hearing-route.ts'
import type { Run } from '../../transcribe/hearing-stream.ts'
import { TEXT_CONTENT, transcriptAsText } from '../../transcribe/text.ts'
import { logIgnored } from '../log-ignored.ts'
import {
  candidatesOf,
  type OpenAiFields as Fields,
  granularitiesOf,
  keywordsOf,
  transcriptionFields,
  translationFields,
  wantsLogprobs,
} from './fields.ts'
import { deployedModel, meantModel } from './model-name.ts'
import {
  logprobsOf,
  OpenAiTranscriptionSchema,
  OpenAiVerboseSchema,
  openAiExample,
  openAiTranscription,
  openAiVerbose,
} from './schema.ts'
import { openAiStream } from './stream.ts'

type Task = DictationRequest['task']
type MeantModel = (name: string | undefined) => Promise<string | null>

const NO_QUERY = openObject({})

const TRANSCRIPTION = formFields(transcriptionFields)
const TRANSLATION = formFields(translationFields)

const DEPLOYMENT = strictObject({
  deployment: text({
    description: 'the model where the form names none; a name that no model has takes the preferred one',
    minLength: 1,
    maxLength: 100,
  }),
})

const PLACES = [
  { below: '/v1', whose: 'OpenAi', way: "OpenAI's" },
  { below: '/openai/deployments/{deployment}', whose: 'Azure', way: "Azure's", params: DEPLOYMENT },
]

export const openAiRoutes = (deps: TranscribeRouteDeps): Route[] =>
  PLACES.flatMap(({ below, whose, way, ...place }) => [
    audioRoute(deps, {
      ...place,
      task: 'transcribe',
      fields: TRANSCRIPTION,
      path: `${below}/audio/transcriptions`,
      operationId: `create${whose}Transcription`,
      summary: `Transcribe a recording, in ${way} way`,
    }),
    audioRoute(deps, {
      ...place,
      task: 'translate',
      fields: TRANSLATION,
      path: `${below}/audio/translations`,
      operationId: `create${whose}Translation`,
      summary: `Translate a recording to English, in ${way} way`,
    }),
  ])

type AudioRoute<F extends TObject> = Pick<Contract, 'path' | 'operationId' | 'summary' | 'params'> & {
  task: Task
  fields: ReturnType<typeof formFields<F>>
}

const answers = (task: Task): Record<string, Representation> => ({
  'application/json': {
    schema: Type.Union([OpenAiTranscriptionSchema, OpenAiVerboseSchema]),
    example: { ...openAiExample, task },
  },
  ...TEXT_CONTENT,
  ...(task === 'transcribe' && {
    'text/event-stream': {
      example: `data: ${JSON.stringify({ type: 'transcript.text.delta', delta: 'There is' })}\n\ndata: [DONE]\n\n`,
    },
  }),
})

const audioRoute = <F extends TObject>(
  deps: TranscribeRouteDeps,
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
    (request, { connection, query, params }) => {
      const { deployment } = params as { deployment?: string }
      const meant = (name: string | undefined) =>
        deployment === undefined
          ? meantModel(deps.models, name)
          : deployedModel(deps.models, [name, deployment])
      return withRecording(
        deps,
        {
          request,
          connection,
          fields,
          check: (asked, stage) => check(deps, { task, meant, ...(asked as Partial<Fields>) }, stage),
        },
        async ({ fields: asked, stored }, lease) => {
          const wanted = asked as Fields
          logIgnored(deps.log, ignoredNames(fields.schema, asked), query)
          const model = await meant(wanted.model)
          const run = runOf(deps, stored, { task, model, asked: wanted })
          if (wanted.stream === true) {
            const dispose = lease.handOver()
            const logprobs = wantsLogprobs(wanted)
            return openAiStream({ ...deps, run, dispose, logprobs, clientGone: request.signal })
          }
          const heard = await run({ signal: AbortSignal.any([request.signal, deps.shutdown]) })
          return heard.ok ? formatted(heard.value, task, wanted) : failureResponse(heard.failure)
        },
      )
    },
  )

function runOf(
  { dictation, settings, log }: TranscribeRouteDeps,
  { path, kind }: IncomingAudio,
  { task, model, asked }: { task: Task; model: string | null; asked: Fields },
): Run {
  const languages = candidatesOf(asked)
  const isOpen = asked.language === undefined && languages.length > 0
  const tokens = wantsLogprobs(asked)
  return async (listeners) => {
    const heard = await dictation.transcribe({
      path,
      kind,
      task,
      model,
      language: isOpen ? null : languageAsked(asked.language, settings.current()),
      ...(languages.length > 0 && { languages }),
      prompt: asked.prompt ?? null,
      keywords: keywordsOf(asked),
      applyDictionary: null,
      ...(tokens && { tokens }),
      ...listeners,
    })
    if (tokens && heard.ok && logprobsOf(heard.value.segments) === null)
      log.warn({ model }, 'log-probabilities of tokens were asked for, which this engine has none of')
    return heard
  }
}

async function check(
  { models }: TranscribeRouteDeps,
  { task, meant, ...asked }: Partial<Fields> & { task: Task; meant: MeantModel },
  stage: FormStage,
): Promise<Problem | null> {
  const format = stage.faulty.has('response_format') ? 'verbose_json' : asked.response_format
  const isTooFine = stage.whole && granularitiesOf(asked)?.includes('word') && format !== 'verbose_json'
  return joinProblems([
    isTooFine ? faultOf(ONLY_VERBOSE) : null,
    await checkModelInForm(
      models,
      { model: asked.model, language: askedLanguage(asked.language), task, meant },
      { ...stage, at: AT },
    ),
  ])
}

const AT = { in: 'form', model: '/model', task: '/model' } as const

const ONLY_VERBOSE: Fault = {
  in: 'form',
  path: '/timestamp_granularities[]',
  message: 'with `word` needs response_format=verbose_json',
}

function formatted(heard: DictatedTranscript, task: Task, asked: Fields): Response {
  const format = asked.response_format ?? 'json'
  switch (format) {
    case 'json':
      return Response.json(openAiTranscription(heard, { logprobs: wantsLogprobs(asked) }))
    case 'verbose_json': {
      const granularities = granularitiesOf(asked) ?? ['segment']
      const segments = granularities.includes('segment')
      return Response.json(openAiVerbose(heard, { task, segments, words: granularities.includes('word') }))
    }
    default:
      return transcriptAsText(heard, format)
  }
}
