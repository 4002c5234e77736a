// GET /writing-styles/match: which style a place gets, and why.
// How it is chosen is src/writing.

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
      summary: 'Find the writing style for a place',
      description:
        'By the address of the page, then the application, then its kind, then the default. Of several that match, the one with the highest priority; then one that a person made; then the one with the longest pattern.',
      tag: 'writing styles',
      query: strictObject({
        app: Type.Optional(text({ maxLength: 500, description: 'name or identifier of the application' })),
        url: Type.Optional(text({ maxLength: 4000, description: 'address of the page' })),
        category: Type.Optional(
          text({
            maxLength: 500,
            description: 'kind of application; found out from `app` where it is left out',
          }),
        ),
        language: Type.Optional(languageField),
      }),
      responses: {
        200: {
          description: 'The writing style, and why',
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
