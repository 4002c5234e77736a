import { READ_ONLY_NOTE } from '../contract/read-only.ts'
import { defineRoute } from '../contract/route.ts'
import {
  checkCommand,
  commandBody,
  commandFailureResponse,
  commandIdIn,
  commandParams,
  oneCommand,
  type SavedCommandsDeps,
} from './saved-command.ts'
import { CommandReplacementSchema, commandContentOf, wireSaved } from './schema.ts'

export const replaceCommandRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/commands/{id}',
      operationId: 'replaceCommand',
      summary: 'Replace a saved command',
      description: `Replaces the whole command and keeps its usage count. ${READ_ONLY_NOTE}`,
      tag: 'commands',
      params: commandParams,
      body: { ...commandBody, schema: CommandReplacementSchema },
      resolve: (sent) => checkCommand({ commands }, sent),
      responses: { 200: { description: 'The command as it is now', content: oneCommand } },
      problems: ['command_not_found', 'command_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params, body }) => {
      const replaced = await commands.saved.replace(commandIdIn(params), commandContentOf(body))
      return replaced.ok ? Response.json(wireSaved(replaced.value)) : commandFailureResponse(replaced.failure)
    },
  )
