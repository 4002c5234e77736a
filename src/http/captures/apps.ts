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
      summary: 'List the applications that received dictation',
      description:
        'Most used first, counted in the same way as in the statistics. Captures without an application form one item.',
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
