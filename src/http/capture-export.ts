// GET /captures/{id}/export: the text of a capture as a file to keep.
// The formats themselves are transcription/formats.ts.

import { Type } from '@sinclair/typebox'
import type { Capture } from '../captures/capture.ts'
import type { Captures } from '../captures/captures.ts'
import { formatTranscript, TRANSCRIPT_FORMATS } from '../transcription/formats.ts'
import { CaptureDetailSchema, captureExample, wireCaptureDetail } from './capture-schema.ts'
import { textOf, titleOf } from './capture-title.ts'
import { captureNotFound, captureParams } from './captures.ts'
import { contentDisposition } from './file-response.ts'
import { problemResponse } from './problem.ts'
import { defineRoute, type Route } from './route.ts'
import { oneOf, strictObject } from './schema.ts'

const MEDIA_TYPES = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}
type ExportFormat = keyof typeof MEDIA_TYPES

export const EXPORT_FORMATS = [...TRANSCRIPT_FORMATS, 'json'] as const

export const exportRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/export',
      operationId: 'exportCapture',
      summary: 'Download the text of a capture',
      description:
        'Text and Markdown hold the text as refined where there is one; subtitles hold what was understood, with its times; JSON holds everything.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({ format: Type.Optional(oneOf(EXPORT_FORMATS, { default: 'txt' })) }),
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': 'the name to save it under' },
          content: {
            'text/plain': { example: captureExample.transcript_raw },
            'text/markdown': { example: `# ${captureExample.title}\n\n${captureExample.transcript_raw}` },
            'application/x-subrip': {
              example: '1\n00:00:00,000 --> 00:00:02,300\nThere is a new message.\n',
            },
            'text/vtt': { example: 'WEBVTT\n\n00:00:00.000 --> 00:00:02.300\nThere is a new message.\n' },
            'application/json': {
              schema: CaptureDetailSchema,
              example: { ...captureExample, segments: [] },
            },
          },
        },
      },
      problems: ['capture_not_found'],
    },
    async (_request, { params, query: { format = 'txt' } }) => {
      const capture = await captures.get(params.id)
      if (capture === null) return problemResponse(captureNotFound(params.id))
      const title = titleOf(capture)
      const name = (title || capture.id).replace(/\.[a-z0-9]{1,5}$/i, '')
      return new Response(contentOf(capture, format, title), {
        headers: {
          'content-type': MEDIA_TYPES[format],
          'content-disposition': contentDisposition(`${name}.${format}`),
        },
      })
    },
  )

export function contentOf(capture: Capture, format: ExportFormat, title: string): string {
  if (format === 'json') return JSON.stringify(wireCaptureDetail(capture), null, 2)
  return formatTranscript({ text: textOf(capture), title, segments: capture.segments }, format)
}
