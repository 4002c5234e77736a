import { PLAIN_CONTENT } from '../../writing/style.ts'
import { failureResponse } from '../contract/failure.ts'
import { defineRoute } from '../contract/route.ts'
import { NewWritingStyleSchema, styleContent, wireStyle } from './schema.ts'
import { oneStyle, resolveStyle, type StyleRouteDeps } from './style.ts'

export const createStyleRoute = (deps: StyleRouteDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/writing-styles',
      operationId: 'createWritingStyle',
      summary: 'Create a writing style',
      description: 'Only the name is required. The style is stored durably before the response is sent.',
      tag: 'writing styles',
      body: {
        kind: 'json',
        schema: NewWritingStyleSchema,
        example: { name: 'Minutes', tone: 'formal', apps: ['Zoom'], rules: { trailing_period: 'add' } },
      },
      responses: {
        201: {
          description: 'The new writing style',
          headers: { Location: 'URL of the writing style' },
          content: oneStyle,
        },
      },
      resolve: resolveStyle(deps),
      problems: ['writing_style_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const name = body.name.trim()
      const created = await deps.styles.create({ ...styleContent(body, PLAIN_CONTENT.rules), name })
      if (!created.ok) return failureResponse(created.failure)
      const location = `/writing-styles/${created.value.id}`
      return Response.json(wireStyle(created.value), { status: 201, headers: { location } })
    },
  )
