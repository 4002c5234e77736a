// OpenAI's audio API: POST /v1/audio/transcriptions and /v1/audio/translations, and the same at Azure's addresses.
// The recording is heard as by POST /transcribe; only names, formats and errors are OpenAI's.

import { type TObject, Type } from '@sinclair/typebox'
import type { IncomingAudio } from '../../../audio/audio-file.ts'
import type { DictatedTranscript, DictationRequest } from '../../../dictation/dictation.ts'
import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { failureResponse } from '../../contract/failure.ts'
import { type FormStage, formFields } from '../../contract/form.ts'
import { faultOf, joinProblems } from '../../contract/join-problems.ts'
import type { Fault, Problem } from '../../contract/problem.ts'
import { type Contract, defineRoute, type Representation, type Route } from '../../contract/route.ts'
import { openObject, strictObject, text } from '../../contract/schema.ts'
import { askedLanguage, languageAsked } from '../../fields/language.ts'
import { checkModelInForm } from '../../fields/model.ts'
import { withRecording } from '../../recording/lease.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/hearing-route.ts'
import type { Run } from '../../transcribe/hearing-stream.ts'
import { TEXT_CONTENT, transcriptAsText } from '../../transcribe/text.ts'
import { headWarnings, warnOfIgnored, withWarnings } from '../ignored.ts'
import {
  type OpenAiFields as Fields,
  keywordsOf,
  optionsWithoutEffect,
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
        "OpenAI's official clients work with only the base address changed. Nothing is kept; the dictionary is applied as the settings say, and `{{clipboard}}` in a snippet leaves nothing, since OpenAI’s clients have no field for it. Lists may also be sent without brackets, with indices, or as one text: JSON, or without brackets and with commas. Fields and query parameters that are not known here are ignored, which `warnings` in JSON and the header `Warning` say.",
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
          const without = optionsWithoutEffect(wanted)
          const warnings = warnOfIgnored(deps.log, { fields: fields.schema, asked, query, without })
          const model = await meant(wanted.model)
          const run = runOf(deps, stored, { task, model, asked: wanted })
          if (wanted.stream === true) {
            const dispose = lease.handOver()
            const logprobs = wantsLogprobs(wanted)
            const streamed = await openAiStream({
              ...deps,
              run,
              dispose,
              logprobs,
              warnings,
              clientGone: request.signal,
            })
            return headWarnings(streamed, warnings)
          }
          const heard = await run({ signal: AbortSignal.any([request.signal, deps.shutdown]) })
          if (!heard.ok) return failureResponse(heard.failure)
          const all = uniqueWarnings(warnings, heard.value.warnings)
          return headWarnings(formatted(heard.value, { task, asked: wanted, warnings: all }), all)
        },
      )
    },
  )

function runOf(
  { dictation, settings, log }: TranscribeRouteDeps,
  { path, kind }: IncomingAudio,
  { task, model, asked }: { task: Task; model: string | null; asked: Fields },
): Run {
  const languages = asked['languages[]'] ?? []
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
  const isTooFine =
    stage.whole && asked['timestamp_granularities[]']?.includes('word') && format !== 'verbose_json'
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

type Formatting = { task: Task; asked: Fields; warnings: readonly Warning[] }

function formatted(heard: DictatedTranscript, { task, asked, warnings }: Formatting): Response {
  const format = asked.response_format ?? 'json'
  switch (format) {
    case 'json': {
      const answer = openAiTranscription(heard, { logprobs: wantsLogprobs(asked) })
      return Response.json({ ...answer, ...withWarnings(warnings) })
    }
    case 'verbose_json': {
      const granularities = asked['timestamp_granularities[]'] ?? ['segment']
      const segments = granularities.includes('segment')
      const verbose = openAiVerbose(heard, { task, segments, words: granularities.includes('word') })
      return Response.json({ ...verbose, ...withWarnings(warnings) })
    }
    default:
      return transcriptAsText(heard, format)
  }
}
