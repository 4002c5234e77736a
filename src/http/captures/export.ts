import { Type } from '@sinclair/typebox'
import type { Captures } from '../../captures/captures.ts'
import { captureNotFound } from '../../captures/not-found.ts'
import { oneOf } from '../../lib/schema.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute, type Route } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { ticketInQuery } from '../fields/ticket.ts'
import { contentDisposition } from '../server/file-response.ts'
import { captureParams } from './address.ts'
import { titleOf } from './display-title.ts'
import { EXPORT_FORMATS, EXPORT_MEDIA_TYPES, exportedText, exportText } from './export-formats.ts'
import { CaptureDetailSchema, captureExample } from './schema.ts'

export const exportRoute = (captures: Captures): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/{id}/export',
      operationId: 'exportCapture',
      summary: 'Download the text of a capture',
      description:
        'Text and Markdown contain the refined text if there is one; subtitles contain the transcript with its times; JSON contains everything. `text` selects one of the two for any format. Refined subtitles take the times of the words that they are derived from.',
      tag: 'captures',
      params: captureParams,
      query: strictObject({
        format: Type.Optional(oneOf(EXPORT_FORMATS, { default: 'txt' })),
        text: Type.Optional(exportText),
        ticket: ticketInQuery,
      }),
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': 'suggested file name' },
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
    async (_request, { params, query: { format = 'txt', text } }) => {
      const capture = await captures.get(params.id)
      if (capture === null) return failureResponse(captureNotFound(params.id))
      const title = titleOf(capture)
      const name = (title || capture.id).replace(/\.[a-z0-9]{1,5}$/i, '')
      return new Response(await exportedText(capture, { format, text, title }), {
        headers: {
          'content-type': EXPORT_MEDIA_TYPES[format],
          'content-disposition': contentDisposition(`${name}.${format}`),
        },
      })
    },
  )
