import { Type } from '@sinclair/typebox'
import type { Segment } from '../../../engine/engine.ts'
import { uniqueWarnings, type Warning } from '../../../lib/warning.ts'
import { locateWords, splitBefore } from '../../../transcription/segment-edits.ts'
import type { Transcript } from '../../../transcription/transcript.ts'
import { checkModelInForm, languageOrDefault, parseLanguage } from '../../fields/fields.ts'
import { formFields } from '../../kernel/form.ts'
import { failureResponse } from '../../kernel/problem.ts'
import { defineRoute, ok, type Route } from '../../kernel/route.ts'
import { openObject } from '../../kernel/schema.ts'
import { withTempAudio } from '../../recording/receive.ts'
import { TRANSCRIBE_PROBLEMS, type TranscribeRouteDeps } from '../../transcribe/stream.ts'
import { TEXT_CONTENT, textResponse, transcriptAsText } from '../../transcribe/transcribe.ts'
import { headWarnings, warnOfIgnored, withWarnings } from '../ignored-fields.ts'
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

/** A word longer than the limit becomes a segment of its own. */
function splitSegments(segments: readonly Segment[], maxCharacters: number): Segment[] {
  return segments.flatMap((segment) => {
    const parts: Segment[] = []
    for (let rest = segment; ; ) {
      const [part, next] = splitBefore(rest, firstBeyond(rest, maxCharacters))
      parts.push(part!)
      if (next === undefined) return parts
      rest = next
    }
  })
}

/** Index of the first word that ends beyond the limit, counting the leading space; 0 if there is none. */
function firstBeyond(segment: Segment, maxCharacters: number): number {
  const places = locateWords(segment)
  return Math.max(
    0,
    places.findIndex(
      (place, index) =>
        index > 0 && place !== null && lengthOf(` ${segment.text.slice(0, place.to)}`) > maxCharacters,
    ),
  )
}

/** whisper.cpp counts code points. */
const lengthOf = (text: string): number => [...text].length

const FIELDS = formFields(inferenceFields)
const NO_QUERY = openObject({})

const AT = { in: 'form', model: '/model', task: '/translate' } as const

const DESCRIPTION = `Programs written for whisper.cpp's server work after changing only its address. The preferred model
transcribes, nothing is stored, and the dictionary is applied as set in the settings. Other fields and query parameters of
that server are ignored and reported in \`warnings\` (JSON) and in the header \`Warning\`. Texts have the type
\`text/plain\` instead of whisper.cpp's \`text/html\`.`

export const inferenceRoute = (deps: TranscribeRouteDeps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/inference',
      operationId: 'createInference',
      summary: "Transcribe a recording (whisper.cpp's API)",
      description: DESCRIPTION,
      tag: 'compatibility',
      query: NO_QUERY,
      body: { kind: 'form', fields: inferenceFields, file: { description: 'the recording, in any format' } },
      responses: ok('The transcript', {
        'application/json': {
          schema: Type.Union([WhisperCppTextSchema, WhisperCppVerboseSchema]),
          example: whisperCppExample,
        },
        ...TEXT_CONTENT,
      }),
      problems: TRANSCRIBE_PROBLEMS,
    },
    (request, { connection, query }) =>
      withTempAudio(
        deps,
        {
          request,
          connection,
          fields: FIELDS,
          check: ({ language, ...sent }, stage) =>
            checkModelInForm(
              deps.models,
              { model: undefined, language: parseLanguage(language), task: taskOf(sent) },
              { ...stage, at: AT },
            ),
        },
        async ({ fields: sent, stored: { path, kind } }) => {
          const without = withoutEffect(sent)
          const warnings = warnOfIgnored(deps.log, {
            fields: inferenceFields,
            requested: sent,
            query,
            without,
          })
          const transcribed = await deps.dictation.transcribe({
            path,
            kind,
            model: null,
            task: taskOf(sent),
            language: sent.detect_language ? null : languageOrDefault(sent.language, deps.settings.current()),
            prompt: sent.prompt ?? null,
            applyDictionary: null,
            excerpt: excerptOf(sent),
            ...(sent.vad !== undefined && { detectSpeech: sent.vad }),
            signal: AbortSignal.any([request.signal, deps.shutdown]),
          })
          if (!transcribed.ok) return failureResponse(transcribed.failure)
          const all = uniqueWarnings(warnings, transcribed.value.warnings)
          return headWarnings(formatted(asWanted(transcribed.value, sent), sent, all), all)
        },
      ),
  )

function asWanted(transcript: Transcript, sent: InferenceFields): Transcript {
  if (sent.detect_language) return { ...transcript, text: '', segments: [] }
  const length = maxLengthOf(sent)
  return length === null
    ? transcript
    : { ...transcript, segments: splitSegments(transcript.segments, length) }
}

function formatted(transcript: Transcript, sent: InferenceFields, warnings: readonly Warning[]): Response {
  const format = sent.response_format ?? 'json'
  switch (format) {
    case 'json':
      return Response.json({ text: whisperCppText(transcript), ...withWarnings(warnings) })
    case 'verbose_json':
      return Response.json({ ...whisperCppVerbose(transcript, sent), ...withWarnings(warnings) })
    case 'text':
      return textResponse(whisperCppText(transcript), format)
    default:
      return transcriptAsText(transcript, format, { numberedAfter: sent.offset_n ?? 0 })
  }
}
