import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { languageField, parseLanguage } from '../fields/language.ts'
import { styleExample, WritingStyleSchema, wireStyle } from './schema.ts'

const MatchSchema = strictObject(
  { style: WritingStyleSchema, matched_by: oneOf(['url', 'app', 'category', 'default']) },
  { $id: 'WritingStyleMatch' },
)

export const matchStyleRoute = (styles: WritingStyles) =>
  defineRoute(
    {
      method: 'GET',
      path: '/writing-styles/match',
      operationId: 'matchWritingStyle',
      summary: 'Find the matching writing style',
      description:
        'Matches by the URL of the page, then by application, then by kind of application; otherwise the default applies. Among several matching styles, the highest priority wins, then custom over built-in styles, then the longest pattern.',
      tag: 'writing styles',
      query: strictObject({
        app: Type.Optional(text({ maxLength: 500, description: 'name or identifier of the application' })),
        url: Type.Optional(text({ maxLength: 4000, description: 'URL of the page' })),
        category: Type.Optional(
          text({
            maxLength: 500,
            description: 'kind of application; default: derived from `app`',
          }),
        ),
        language: Type.Optional(languageField),
      }),
      responses: {
        200: {
          description: 'The writing style and what it was matched by',
          content: {
            'application/json': { schema: MatchSchema, example: { style: styleExample, matched_by: 'app' } },
          },
        },
      },
    },
    (_request, { query }) => {
      const { app = null, url = null, category = null } = query
      const { style, matchedBy } = styles.match({
        writingStyleId: null,
        appId: app,
        appName: app,
        appUrl: url,
        category,
        language: parseLanguage(query.language),
      })
      return Response.json({ style: wireStyle(style), matched_by: matchedBy })
    },
  )
