// GET /captures: the list, narrowed by filters and searched by words.
// Which filters there are is filter.ts; how the search finds is src/captures.

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
        'Newest first by `recorded_at`, or the best matches first when `q` is given: of the 250 newest matches, and then the older ones by age. `total` is exact unless `count=false`. Filters narrow the list together.',
      tag: 'captures',
      query: strictObject({
        ...captureFilterFields,
        sort: Type.Optional(oneOf(CAPTURE_SORTS, { description: 'a minus sign is descending' })),
        ...pageQuery,
        count: Type.Optional(
          flag({
            description:
              'false saves counting all matches where no words are looked for: `total` then goes as far as this page, and one further where there is more',
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
