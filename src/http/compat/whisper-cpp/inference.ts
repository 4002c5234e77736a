// POST /inference: whisper.cpp's server, for programs that were written for it.
// The recording is heard as by POST /transcribe; only names, shapes and errors are whisper.cpp's.

import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../lib/schema.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { failureResponse } from '../../contract/failure.ts'
import { formFields } from '../../contract/form.ts'
import { defineRoute, type Route } from '../../contract/route.ts'
import { flag, ignoredNames, openObject } from '../../contract/schema.ts'
import { askedLanguage, languageAsked, languageField } from '../../fields/language.ts'
import { checkModelInForm } from '../../fields/model.ts'
import { promptField } from '../../fields/prompt.ts'
import { withRecording } from '../../recording/lease.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/hearing-route.ts'
import { TEXT_CONTENT, textResponse, transcriptAsText } from '../../transcribe/text.ts'
import { logIgnored } from '../log-ignored.ts'
import {
  WhisperCppTextSchema,
  WhisperCppVerboseSchema,
  whisperCppExample,
  whisperCppText,
  whisperCppVerbose,
} from './schema.ts'

const fields = openObject({
  response_format: Type.Optional(oneOf(['json', 'text', 'srt', 'verbose_json', 'vtt'], { default: 'json' })),
  language: Type.Optional(languageField),
  translate: Type.Optional(flag({ description: 'writes English, whatever is spoken', default: false })),
  prompt: Type.Optional(promptField),
  temperature: Type.Optional(
    Type.Number({ minimum: 0, description: 'told in the answer; it rises by itself where that helps' }),
  ),
  temperature_inc: Type.Optional(Type.Number({ description: 'ignored' })),
})
type Fields = Static<typeof fields>

const FIELDS = formFields(fields)
const NO_QUERY = openObject({})

const taskOf = ({ translate }: Partial<Fields>) => (translate === true ? 'translate' : 'transcribe')

const AT = { in: 'form', model: '/model', task: '/translate' } as const

const DESCRIPTION = `Programs that were written for whisper.cpp's server work with only its address changed. The
preferred model hears; nothing is kept, and the dictionary is applied as the settings say. Other fields and query
parameters of that server are ignored. Text is \`text/plain\`, where whisper.cpp says \`text/html\`.`

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
      body: { kind: 'form', fields, file: { description: 'the recording, in any format' } },
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
          logIgnored(deps.log, ignoredNames(fields, asked), query)
          const heard = await deps.dictation.transcribe({
            path,
            kind,
            model: null,
            task: taskOf(asked),
            language: languageAsked(asked.language, deps.settings.current()),
            prompt: asked.prompt ?? null,
            applyDictionary: null,
            signal: AbortSignal.any([request.signal, deps.shutdown]),
          })
          return heard.ok ? formatted(heard.value, asked) : failureResponse(heard.failure)
        },
      ),
  )

function formatted(transcript: Transcript, asked: Fields): Response {
  const format = asked.response_format ?? 'json'
  switch (format) {
    case 'json':
      return Response.json({ text: whisperCppText(transcript) })
    case 'verbose_json':
      return Response.json(
        whisperCppVerbose(transcript, { task: taskOf(asked), temperature: asked.temperature ?? 0 }),
      )
    case 'text':
      return textResponse(whisperCppText(transcript), format)
    default:
      return transcriptAsText(transcript, format)
  }
}
