import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/schema.ts'
import { defineRoute } from '../contract/route.ts'
import { pageQuery, strictObject, wholeNumber } from '../contract/schema.ts'
import type { SavedCommandsDeps } from './saved-command.ts'
import { CommandListSchema, commandExample, wireBuiltIn, wireSaved } from './schema.ts'

/** The usual page of 50 would not even hold the built-in commands. */
const ALL = 200

export const listCommandsRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands',
      operationId: 'listCommands',
      summary: 'List commands',
      description: 'Saved commands first, then built-in ones, each in the order in which they are tried.',
      tag: 'commands',
      query: strictObject({
        source: Type.Optional(oneOf(['built_in', 'saved'])),
        limit: Type.Optional(
          wholeNumber({ description: 'maximum number of items', minimum: 1, maximum: 200, default: ALL }),
        ),
        offset: pageQuery.offset,
      }),
      responses: {
        200: {
          description: 'One page of commands',
          content: {
            'application/json': { schema: CommandListSchema, example: { items: [commandExample], total: 1 } },
          },
        },
      },
    },
    (_request, { query }) => {
      const { source, limit = ALL, offset = 0 } = query
      const found = [
        ...(source === 'built_in' ? [] : commands.saved.list().map(wireSaved)),
        ...(source === 'saved' ? [] : commands.builtIn.map(wireBuiltIn)),
      ]
      return Response.json({ items: found.slice(offset, offset + limit), total: found.length })
    },
  )
