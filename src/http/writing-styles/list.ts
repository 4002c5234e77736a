import type { WritingStyles } from '../../writing/styles.ts'
import { defineRoute } from '../contract/route.ts'
import { listOf, pageQuery, strictObject } from '../contract/schema.ts'
import { styleExample, WritingStyleSchema, wireStyle } from './schema.ts'

export const listStylesRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles',
      operationId: 'listWritingStyles',
      summary: 'List writing styles',
      description: 'Built-in styles first, then custom styles in the order in which they were created.',
      tag: 'writing styles',
      query: strictObject(pageQuery),
      responses: {
        200: {
          description: 'One page of writing styles',
          content: {
            'application/json': {
              schema: listOf(WritingStyleSchema, { $id: 'WritingStyleList' }),
              example: { items: [styleExample], total: 1 },
            },
          },
        },
      },
    },
    (_request, { query: { limit = 50, offset = 0 } }) => {
      const all = styles.list()
      return Response.json({ items: all.slice(offset, offset + limit).map(wireStyle), total: all.length })
    },
  )
