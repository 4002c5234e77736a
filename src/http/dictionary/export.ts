import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import { nextTurn } from '../../lib/time-slice.ts'
import { DICTIONARY_FORMATS } from '../../text/dictionary/file-row.ts'
import type { TaughtDictionary } from '../../writing/dictionary.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import { ticketInQuery } from '../fields/ticket.ts'
import { contentDisposition } from '../server/file-response.ts'
import { FILE_EXAMPLES, FILE_FORMATS } from './file-formats.ts'
import { ImportedEntrySchema } from './schema.ts'

export const exportDictionaryRoute = (dictionary: TaughtDictionary) =>
  defineRoute(
    {
      method: 'GET',
      path: '/dictionary/export',
      operationId: 'exportDictionary',
      summary: 'Download the dictionary',
      description:
        'Oldest first. Every format can be imported again and contains everything except the ids. In CSV, a text that a spreadsheet would interpret as a formula is prefixed with an apostrophe.',
      tag: 'dictionary',
      query: strictObject({
        format: Type.Optional(oneOf(DICTIONARY_FORMATS, { default: 'json' })),
        ticket: ticketInQuery,
      }),
      responses: {
        200: {
          description: 'The file',
          headers: { 'Content-Disposition': 'suggested file name' },
          content: {
            'application/json': {
              schema: strictObject(
                {
                  entries: Type.Array(
                    Type.Object({ ...ImportedEntrySchema.properties }, { additionalProperties: false }),
                  ),
                },
                { $id: 'DictionaryFile' },
              ),
              example: { entries: [{ type: 'term', word: 'Kubernetes' }] },
            },
            'text/csv': { example: FILE_EXAMPLES.csv },
            'text/plain': { example: FILE_EXAMPLES.txt },
          },
        },
      },
    },
    (_request, { query: { format = 'json' } }) => {
      const { mediaType, write } = FILE_FORMATS[format]
      return new Response(streamOf(write(dictionary.list())), {
        headers: {
          'content-type': `${mediaType}; charset=utf-8`,
          'content-disposition': contentDisposition(`dictionary.${format}`),
        },
      })
    },
  )

/** Size of a chunk of the response. */
const PIECE_CHARACTERS = 64 * 1024

function streamOf(texts: Generator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      let piece = ''
      while (piece.length < PIECE_CHARACTERS) {
        const next = texts.next()
        if (next.done) break
        piece += next.value
      }
      if (piece === '') return controller.close()
      controller.enqueue(encoder.encode(piece))
      await nextTurn()
    },
  })
}
