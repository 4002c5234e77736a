import { COMMAND_LIMITS } from '../../commands/saved-command.ts'
import { defineRoute } from '../contract/route.ts'
import {
  checkCommand,
  commandBody,
  commandFailureResponse,
  oneCommand,
  type SavedCommandsDeps,
} from './saved-command.ts'
import { commandContentOf, wireSaved } from './schema.ts'

export const createCommandRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/commands',
      operationId: 'createCommand',
      summary: 'Save a command',
      description: `A saved command runs when one of its triggers is spoken. It either runs its steps, which are built-in commands, or has a language model follow its instructions. At most ${COMMAND_LIMITS.commands} commands can be saved.`,
      tag: 'commands',
      body: commandBody,
      resolve: (sent) => checkCommand({ commands }, sent),
      responses: {
        201: { description: 'Saved', headers: { Location: 'URL of the command' }, content: oneCommand },
      },
      problems: ['command_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const created = await commands.saved.create(commandContentOf(body))
      if (!created.ok) return commandFailureResponse(created.failure)
      return Response.json(wireSaved(created.value), {
        status: 201,
        headers: { location: `/commands/${created.value.id}` },
      })
    },
  )
