import { Type } from '@sinclair/typebox'
import type { Captures } from '../../captures/captures.ts'
import { CAPTURE_SORTS } from '../../captures/list-captures.ts'
import { oneOf } from '../../lib/schema.ts'
import { defineRoute, orFieldErrors } from '../contract/route.ts'
import { flag, listOf, pageQuery, strictObject } from '../contract/schema.ts'
import { captureFilterFields, readCaptureFilter } from './filter.ts'
import { captureExample, FoundCaptureSchema, wireCapture } from './schema.ts'

export const listCapturesRoute = (captures: Captures) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures',
      operationId: 'listCaptures',
      summary: 'List and search captures',
      description:
        'Sorted by `recorded_at`, newest first. With `q`, the 250 newest matches come first, best match first, followed by older matches by age. `total` is exact unless `count=false`. A capture must match all filters.',
      tag: 'captures',
      query: strictObject({
        ...captureFilterFields,
        sort: Type.Optional(
          oneOf(CAPTURE_SORTS, { description: 'a leading minus sign sorts in descending order' }),
        ),
        ...pageQuery,
        count: Type.Optional(
          flag({
            description:
              'false skips counting all matches if there is no `q`: `total` then counts up to the end of this page, plus one if more follow',
            default: true,
          }),
        ),
      }),
      resolve: ({ query }) => orFieldErrors(readCaptureFilter(query, { in: 'query', path: '' })),
      responses: {
        200: {
          description: 'One page of captures',
          content: {
            'application/json': {
              schema: listOf(FoundCaptureSchema, { $id: 'CaptureList' }),
              example: { items: [{ ...captureExample, highlight: 'a new <mark>message</mark>' }], total: 1 },
            },
          },
        },
      },
    },
    async (_request, { query: { sort, limit = 50, offset = 0, count: isCounted }, found: meant }) => {
      const { items, total } = await captures.list({ ...meant, sort, limit, offset, isCounted })
      const wire = items.map(({ highlight, ...capture }) => ({ ...wireCapture(capture), highlight }))
      return Response.json({ items: wire, total })
    },
  )
