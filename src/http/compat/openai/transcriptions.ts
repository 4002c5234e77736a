// OpenAI's audio API, at OpenAI's and at Azure's paths.

import { type TObject, Type } from '@sinclair/typebox'
import type { IncomingAudio } from '../../../audio/audio-file.ts'
import type { DictatedTranscript, DictationRequest } from '../../../dictation/dictation.ts'
import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { captionLimitsOf } from '../../fields/caption-limits.ts'
import { checkModelInForm, languageOrDefault, parseLanguage } from '../../fields/fields.ts'
import { type FormStage, formFields } from '../../kernel/form.ts'
import { faultOf, mergeProblems } from '../../kernel/input.ts'
import { type Fault, failureResponse, type Problem } from '../../kernel/problem.ts'
import { type Contract, defineRoute, ok, type Representation, type Route } from '../../kernel/route.ts'
import { openObject, strictObject, text } from '../../kernel/schema.ts'
import { withTempAudio } from '../../recording/receive.ts'
import { type Run, TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/stream.ts'
import { TEXT_CONTENT, transcriptAsText } from '../../transcribe/transcribe.ts'
import { headWarnings, warnOfIgnored, withWarnings } from '../ignored-fields.ts'
import {
  deployedModel,
  type OpenAiFields as Fields,
  keywordsOf,
  meantModel,
  openAiStream,
  optionsWithoutEffect,
  transcriptionFields,
  translationFields,
  wantsLogprobs,
} from './fields.ts'
import {
  logprobsOf,
  OpenAiTranscriptionSchema,
  OpenAiVerboseSchema,
  openAiExample,
  openAiTranscription,
  openAiVerbose,
} from './schema.ts'

type Task = DictationRequest['task']
type MeantModel = (name: string | undefined) => Promise<string | null>

const NO_QUERY = openObject({})

const TRANSCRIPTION = formFields(transcriptionFields)
const TRANSLATION = formFields(translationFields)

const DEPLOYMENT = strictObject({
  deployment: text({
    description: 'the model if the form names none; an unknown name selects the preferred model',
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
      summary: `Transcribe a recording (${way} API)`,
    }),
    audioRoute(deps, {
      ...place,
      task: 'translate',
      fields: TRANSLATION,
      path: `${below}/audio/translations`,
      operationId: `create${whose}Translation`,
      summary: `Translate a recording to English (${way} API)`,
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
        "OpenAI's official clients work after changing only the base URL. Nothing is stored. The dictionary is applied as set in the settings; `{{clipboard}}` in a snippet becomes empty, because OpenAI’s clients have no field for it. Lists may also be sent without brackets, with indices, or as one text: JSON, or comma-separated. Unknown fields and query parameters are ignored and reported in `warnings` (JSON) and in the header `Warning`.",
      tag: 'compatibility',
      query: NO_QUERY,
      body: { kind: 'form', fields: fields.schema, file: { description: 'the recording' } },
      responses: ok('The transcript', answers(task)),
      problems: TRANSCRIBE_PROBLEMS,
    },
    (request, { connection, query, params }) => {
      const { deployment } = params as { deployment?: string }
      const meant = (name: string | undefined) =>
        deployment === undefined
          ? meantModel(deps.models, name)
          : deployedModel(deps.models, [name, deployment])
      return withTempAudio(
        deps,
        {
          request,
          connection,
          fields,
          check: (sent, stage) => check(deps, { task, meant, ...(sent as Partial<Fields>) }, stage),
        },
        async ({ fields: sent, stored }, lease) => {
          const wanted = sent as Fields
          const without = optionsWithoutEffect(wanted)
          const warnings = warnOfIgnored(deps.log, {
            fields: fields.schema,
            requested: sent,
            query,
            without,
          })
          const model = await meant(wanted.model)
          const run = runOf(deps, stored, { task, model, sent: wanted })
          if (wanted.stream === true) {
            const dispose = lease.keepAfterResponse()
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
          const transcribed = await run({ signal: AbortSignal.any([request.signal, deps.shutdown]) })
          if (!transcribed.ok) return failureResponse(transcribed.failure)
          const all = uniqueWarnings(warnings, transcribed.value.warnings)
          return headWarnings(formatted(transcribed.value, { task, sent: wanted, warnings: all }), all)
        },
      )
    },
  )

function runOf(
  { dictation, settings, log }: TranscribeRouteDeps,
  { path, kind }: IncomingAudio,
  { task, model, sent }: { task: Task; model: string | null; sent: Fields },
): Run {
  const languages = sent['languages[]'] ?? []
  const isOpen = sent.language === undefined && languages.length > 0
  const tokens = wantsLogprobs(sent)
  return async (listeners) => {
    const transcribed = await dictation.transcribe({
      path,
      kind,
      task,
      model,
      language: isOpen ? null : languageOrDefault(sent.language, settings.current()),
      ...(languages.length > 0 && { languages }),
      prompt: sent.prompt ?? null,
      keywords: keywordsOf(sent),
      applyDictionary: null,
      ...(tokens && { tokens }),
      ...listeners,
    })
    if (tokens && transcribed.ok && logprobsOf(transcribed.value.segments) === null)
      log.warn({ model }, 'log probabilities of tokens were requested, but this engine does not provide them')
    return transcribed
  }
}

async function check(
  { models }: TranscribeRouteDeps,
  { task, meant, ...sent }: Partial<Fields> & { task: Task; meant: MeantModel },
  stage: FormStage,
): Promise<Problem | null> {
  const format = stage.faulty.has('response_format') ? 'verbose_json' : sent.response_format
  const isTooFine =
    stage.whole && sent['timestamp_granularities[]']?.includes('word') && format !== 'verbose_json'
  return mergeProblems([
    isTooFine ? faultOf(ONLY_VERBOSE) : null,
    await checkModelInForm(
      models,
      { model: sent.model, language: parseLanguage(sent.language), task, meant },
      { ...stage, at: AT },
    ),
  ])
}

const AT = { in: 'form', model: '/model', task: '/model' } as const

const ONLY_VERBOSE: Fault = {
  in: 'form',
  path: '/timestamp_granularities[]',
  message: 'requires response_format=verbose_json for `word`',
}

type Formatting = { task: Task; sent: Fields; warnings: readonly Warning[] }

function formatted(transcribed: DictatedTranscript, { task, sent, warnings }: Formatting): Response {
  const format = sent.response_format ?? 'json'
  switch (format) {
    case 'json': {
      const answer = openAiTranscription(transcribed, { logprobs: wantsLogprobs(sent) })
      return Response.json({ ...answer, ...withWarnings(warnings) })
    }
    case 'verbose_json': {
      const granularities = sent['timestamp_granularities[]'] ?? ['segment']
      const segments = granularities.includes('segment')
      const verbose = openAiVerbose(transcribed, { task, segments, words: granularities.includes('word') })
      return Response.json({ ...verbose, ...withWarnings(warnings) })
    }
    default:
      return transcriptAsText(transcribed, format, { limits: captionLimitsOf(sent) })
  }
}
