import { defineRoute } from '../contract/route.ts'
import { pageQuery, strictObject, text, wholeNumber } from '../contract/schema.ts'
import { CommandRunListSchema, commandRunExample, wireRun } from './run-schema.ts'
import type { SavedCommandsDeps } from './saved-command.ts'

export const listCommandRunsRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands/history',
      operationId: 'listCommandRuns',
      summary: 'List the command history',
      description: 'Newest first; the last thousand runs are stored. Dry runs are not recorded.',
      tag: 'commands',
      query: strictObject(pageQuery),
      responses: {
        200: {
          description: 'One page of runs',
          content: {
            'application/json': {
              schema: CommandRunListSchema,
              example: { items: [commandRunExample], total: 1 },
            },
          },
        },
      },
      problems: ['database_unavailable'],
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const { items, total } = await commands.history.list({ limit, offset })
      return Response.json({ items: items.map(wireRun), total })
    },
  )

const ClearedSchema = strictObject(
  { message: text({}), deleted: wholeNumber({ minimum: 0 }) },
  { $id: 'CommandHistoryCleared' },
)

export const clearCommandRunsRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/commands/history',
      operationId: 'clearCommandRuns',
      summary: 'Clear the command history',
      description: 'Removes all runs, including the texts that the commands processed.',
      tag: 'commands',
      responses: {
        200: {
          description: 'The history is empty',
          content: {
            'application/json': {
              schema: ClearedSchema,
              example: { message: 'The history is empty.', deleted: 3 },
            },
          },
        },
      },
      problems: ['disk_full', 'database_unavailable'],
    },
    async () => Response.json({ message: 'The history is empty.', deleted: await commands.history.clear() }),
  )
