// POST /inference: whisper.cpp's server, for programs that were written for it.
// The recording is heard as by POST /transcribe; only names, shapes and errors are whisper.cpp's.

import { Type } from '@sinclair/typebox'
import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { failureResponse } from '../../contract/failure.ts'
import { formFields } from '../../contract/form.ts'
import { defineRoute, type Route } from '../../contract/route.ts'
import { openObject } from '../../contract/schema.ts'
import { askedLanguage, languageAsked } from '../../fields/language.ts'
import { checkModelInForm } from '../../fields/model.ts'
import { withRecording } from '../../recording/lease.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/hearing-route.ts'
import { TEXT_CONTENT, textResponse, transcriptAsText } from '../../transcribe/text.ts'
import { headWarnings, warnOfIgnored, withWarnings } from '../ignored.ts'
import {
  excerptOf,
  type InferenceFields,
  inferenceFields,
  maxLengthOf,
  taskOf,
  withoutEffect,
} from './fields.ts'
import {
  WhisperCppTextSchema,
  WhisperCppVerboseSchema,
  whisperCppExample,
  whisperCppText,
  whisperCppVerbose,
} from './schema.ts'
import { splitSegments } from './split-segments.ts'

const FIELDS = formFields(inferenceFields)
const NO_QUERY = openObject({})

const AT = { in: 'form', model: '/model', task: '/translate' } as const

const DESCRIPTION = `Programs that were written for whisper.cpp's server work with only its address changed. The
preferred model hears; nothing is kept, and the dictionary is applied as the settings say. Other fields and query
parameters of that server have no effect, which \`warnings\` in JSON and the header \`Warning\` say. Text is
\`text/plain\`, where whisper.cpp says \`text/html\`.`

export const inferenceRoute = (deps: TranscribeRouteDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/inference',
      operationId: 'createInference',
      summary: "Transcribe a recording, in whisper.cpp's way",
      description: DESCRIPTION,
      tag: 'whisper-cpp',
      query: NO_QUERY,
      body: { kind: 'form', fields: inferenceFields, file: { description: 'the recording, in any format' } },
      responses: {
        200: {
          description: 'The transcript',
          content: {
            'application/json': {
              schema: Type.Union([WhisperCppTextSchema, WhisperCppVerboseSchema]),
              example: whisperCppExample,
            },
            ...TEXT_CONTENT,
          },
        },
      },
      problems: TRANSCRIBE_PROBLEMS,
    },
    (request, { connection, query }) =>
      withRecording(
        deps,
        {
          request,
          connection,
          fields: FIELDS,
          check: ({ language, ...asked }, stage) =>
            checkModelInForm(
              deps.models,
              { model: undefined, language: askedLanguage(language), task: taskOf(asked) },
              { ...stage, at: AT },
            ),
        },
        async ({ fields: asked, stored: { path, kind } }) => {
          const without = withoutEffect(asked)
          const warnings = warnOfIgnored(deps.log, { fields: inferenceFields, asked, query, without })
          const heard = await deps.dictation.transcribe({
            path,
            kind,
            model: null,
            task: taskOf(asked),
            language: asked.detect_language ? null : languageAsked(asked.language, deps.settings.current()),
            prompt: asked.prompt ?? null,
            applyDictionary: null,
            excerpt: excerptOf(asked),
            ...(asked.vad !== undefined && { detectSpeech: asked.vad }),
            signal: AbortSignal.any([request.signal, deps.shutdown]),
          })
          if (!heard.ok) return failureResponse(heard.failure)
          const all = uniqueWarnings(warnings, heard.value.warnings)
          return headWarnings(formatted(asWanted(heard.value, asked), asked, all), all)
        },
      ),
  )

function asWanted(transcript: Transcript, asked: InferenceFields): Transcript {
  if (asked.detect_language) return { ...transcript, text: '', segments: [] }
  const length = maxLengthOf(asked)
  return length === null
    ? transcript
    : { ...transcript, segments: splitSegments(transcript.segments, length) }
}

function formatted(transcript: Transcript, asked: InferenceFields, warnings: readonly Warning[]): Response {
  const format = asked.response_format ?? 'json'
  switch (format) {
    case 'json':
      return Response.json({ text: whisperCppText(transcript), ...withWarnings(warnings) })
    case 'verbose_json':
      return Response.json({ ...whisperCppVerbose(transcript, asked), ...withWarnings(warnings) })
    case 'text':
      return textResponse(whisperCppText(transcript), format)
    default:
      return transcriptAsText(transcript, format, { numberedAfter: asked.offset_n ?? 0 })
  }
}
