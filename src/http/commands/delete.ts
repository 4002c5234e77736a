import { defineRoute } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import {
  commandFailureResponse,
  commandIdIn,
  commandParams,
  type SavedCommandsDeps,
} from './saved-command.ts'

const DeletedSchema = strictObject({ message: text({}) }, { $id: 'CommandDeleted' })

export const deleteCommandRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/commands/{id}',
      operationId: 'deleteCommand',
      summary: 'Delete a saved command',
      description: 'Its earlier runs stay in the history.',
      tag: 'commands',
      params: commandParams,
      responses: {
        200: {
          description: 'Deleted',
          content: {
            'application/json': { schema: DeletedSchema, example: { message: 'The command was deleted.' } },
          },
        },
      },
      problems: ['command_not_found', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params }) => {
      const removed = await commands.saved.remove(commandIdIn(params))
      return removed.ok
        ? Response.json({ message: 'The command was deleted.' })
        : commandFailureResponse(removed.failure)
    },
  )
