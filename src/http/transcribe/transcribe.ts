import { type Static, Type } from '@sinclair/typebox'
import type { IncomingAudio } from '../../audio/audio-file.ts'
import type { DictatedTranscript } from '../../dictation/dictation.ts'
import type { EngineInfo } from '../../engine/engine.ts'
import { oneOf } from '../../lib/schema.ts'
import { type FormattableTranscript, formatTranscript } from '../../transcription/formats.ts'
import type { Transcript } from '../../transcription/transcript.ts'
import { captionFields, captionLimitsOf } from '../fields/caption-limits.ts'
import {
  checkModelInForm,
  clipboardField,
  clipboardInQuery,
  type FindsModels,
  keywordsField,
  languageField,
  languageOrDefault,
  modelField,
  parseLanguage,
  promptField,
  promptInQuery,
} from '../fields/fields.ts'
import { warningsOf } from '../fields/segment.ts'
import type { Connection } from '../kernel/connection.ts'
import { type FormStage, formFields, isForm, WHOLE } from '../kernel/form.ts'
import { faultOf, mergeProblems } from '../kernel/input.ts'
import { type Fault, failureResponse, type Problem } from '../kernel/problem.ts'
import { defineRoute, type Representation, type Route } from '../kernel/route.ts'
import { flag, strictObject } from '../kernel/schema.ts'
import { RECORDING_TYPES, withTempAudio } from '../recording/receive.ts'
import { TranscriptionSchema, transcriptionExample, type WireOptions, wireTranscription } from './schema.ts'
import { type Run, TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps, transcribeStream } from './stream.ts'

const MEDIA_TYPES = { text: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt' } as const
export type TextFormat = keyof typeof MEDIA_TYPES

/** Examples in the OpenAPI document. */
export const TEXT_CONTENT: Record<string, Representation> = {
  'text/plain': { example: 'There is a new message.\n' },
  'application/x-subrip': { example: '1\n00:00:00,000 --> 00:00:02,300\nThere is a new message.\n' },
  'text/vtt': { example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.300\nThere is a new message.\n' },
}

export const transcriptAsText = (
  transcript: Transcript,
  format: TextFormat,
  more: Pick<FormattableTranscript, 'numberedAfter' | 'limits'> = {},
): Response =>
  textResponse(formatTranscript({ ...transcript, ...more }, format === 'text' ? 'txt' : format), format)

export const textResponse = (body: string, format: TextFormat): Response =>
  new Response(body, { headers: { 'content-type': `${MEDIA_TYPES[format]}; charset=utf-8` } })

const RESPONSE_FORMATS = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const

const fields = strictObject({
  model: Type.Optional(modelField),
  language: Type.Optional(languageField),
  prompt: Type.Optional(promptField),
  keywords: Type.Optional(
    keywordsField('terms that are likely to occur, in addition to the dictionary’s; one per field'),
  ),
  task: Type.Optional(
    oneOf(['transcribe', 'translate'], {
      description: '`translate` translates to English; default: `transcribe`',
    }),
  ),
  response_format: Type.Optional(
    oneOf(RESPONSE_FORMATS, { description: '`verbose_json` is `json` with words; default: `json`' }),
  ),
  ...captionFields,
  word_timestamps: Type.Optional(flag({ description: 'true adds words with their times' })),
  apply_dictionary: Type.Optional(
    flag({ description: 'whether the dictionary is applied; default: as in the settings' }),
  ),
  clipboard: Type.Optional(clipboardField),
  stream: Type.Optional(
    flag({
      description: 'true streams the result as server-sent events; only with json or verbose_json',
    }),
  ),
})

type Fields = Static<typeof fields>

const checkedFields = formFields(fields)

// The fields have no defaults, because a field that the form omits may be in the query.
const query = strictObject({
  ...fields.properties,
  prompt: Type.Optional(promptInQuery),
  clipboard: Type.Optional(clipboardInQuery),
})

const content = {
  'application/json': { schema: TranscriptionSchema, example: transcriptionExample },
  ...TEXT_CONTENT,
  'text/event-stream': {
    example: `event: progress\ndata: {"progress":1}\n\nevent: done\ndata: ${JSON.stringify(transcriptionExample)}\n\n`,
  },
}

const DESCRIPTION = `Accepts recordings in any common format, detected by content, up to the configured length. Silence
returns an empty text. Nothing is stored. The recording is a file in a form, or the whole body with the fields in the
query. With a form, fields may be in the query too; those of the form take precedence.

With \`stream=true\` the response is \`text/event-stream\`: \`segment\` events (one segment each), \`progress\` events
(\`{"progress": 0–1}\`) and finally one \`done\` event with the whole result, or one \`error\` event with a problem.`

export const transcribeRoute = (deps: TranscribeRouteDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/transcribe',
      operationId: 'transcribe',
      summary: 'Transcribe a recording',
      description: DESCRIPTION,
      tag: 'transcription',
      query,
      body: {
        kind: 'form',
        fields,
        file: { description: 'the recording' },
        raw: {
          mediaTypes: RECORDING_TYPES,
          description: 'the recording as the whole body; its fields are in the query',
        },
      },
      resolve: async ({ request, query: requested, isRefused }) =>
        isRefused && !isForm(request) ? [await createCheck(deps.models, 'query')(requested, WHOLE)] : [],
      responses: { 200: { description: 'The transcript', content } },
      problems: TRANSCRIBE_PROBLEMS,
    },
    (request, input) => answer(deps, request, input),
  )

type Asked = { query: Partial<Fields>; connection: Connection }

const answer = (deps: TranscribeRouteDeps, request: Request, requested: Asked): Promise<Response> =>
  withTempAudio(
    deps,
    {
      request,
      ...requested,
      fields: checkedFields,
      check: createCheck(deps.models, isForm(request) ? 'form' : 'query'),
    },
    async ({ fields: requested, stored }, lease) => {
      const run = startOf(deps, stored, requested)
      const wire = wireOptions(deps.engine.info(), requested)
      if (requested.stream === true) {
        const dispose = lease.keepAfterResponse()
        return transcribeStream({ ...deps, run, wire, dispose, clientGone: request.signal })
      }
      const transcript = await run({ signal: AbortSignal.any([request.signal, deps.shutdown]) })
      if (!transcript.ok) return failureResponse(transcript.failure)
      return formatted(transcript.value, requested, wire)
    },
  )

const startOf =
  ({ dictation, settings }: TranscribeRouteDeps, recording: IncomingAudio, requested: Fields): Run =>
  (listeners) =>
    dictation.transcribe({
      path: recording.path,
      kind: recording.kind,
      model: requested.model ?? null,
      language: languageOrDefault(requested.language, settings.current()),
      task: requested.task ?? 'transcribe',
      prompt: requested.prompt ?? null,
      keywords: requested.keywords ?? [],
      applyDictionary: requested.apply_dictionary ?? null,
      clipboard: () => requested.clipboard ?? null,
      ...listeners,
    })

const createCheck =
  (models: FindsModels, place: 'form' | 'query') =>
  async (requested: Partial<Fields>, stage: FormStage): Promise<Problem | null> => {
    const { model, language, task, stream, response_format: format } = requested
    const at = { in: place, model: '/model' }
    const areSubtitles = stream === true && !['json', 'verbose_json', undefined].includes(format)
    return mergeProblems([
      areSubtitles ? faultOf({ in: place, ...NO_SUBTITLES }) : null,
      await checkModelInForm(models, { model, language: parseLanguage(language), task }, { ...stage, at }),
    ])
  }

const NO_SUBTITLES: Omit<Fault, 'in'> = {
  path: '/response_format',
  message: 'must be json or verbose_json with stream=true',
}

function wireOptions(engine: EngineInfo, requested: Fields): WireOptions {
  const words = requested.word_timestamps === true || requested.response_format === 'verbose_json'
  return { words, warnings: warningsOf(engine, { prompt: requested.prompt, words }) }
}

function formatted(transcript: DictatedTranscript, requested: Fields, wire: WireOptions): Response {
  const { response_format: format = 'json' } = requested
  switch (format) {
    case 'json':
    case 'verbose_json':
      return Response.json(wireTranscription(transcript, wire))
    default:
      return transcriptAsText(transcript, format, { limits: captionLimitsOf(requested) })
  }
}
