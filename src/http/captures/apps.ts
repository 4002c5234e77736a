// GET /captures/apps: the applications that were spoken into.
// Their shape is stats-schema.ts.

import type { Usage } from '../../captures/usage.ts'
import { defineRoute } from '../contract/route.ts'
import { pageQuery, strictObject } from '../contract/schema.ts'
import { AppUseListSchema, appExample, wireApp } from './stats-schema.ts'

export const appsRoute = (usage: Usage) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/apps',
      operationId: 'listApps',
      summary: 'Applications that were spoken into',
      description:
        'The most used first, counted as the statistics count. Captures of which no application was told are one item.',
      tag: 'statistics',
      query: strictObject(pageQuery),
      responses: {
        200: {
          description: 'One page of applications',
          content: {
            'application/json': { schema: AppUseListSchema, example: { items: [appExample], total: 1 } },
          },
        },
      },
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const { items, total } = await usage.apps({ limit, offset })
      return Response.json({ items: items.map(wireApp), total })
    },
  )
