import { problemResponse } from '../contract/problem.ts'
import { defineRoute } from '../contract/route.ts'
import {
  commandIdIn,
  commandNotFound,
  commandParams,
  oneCommand,
  type SavedCommandsDeps,
} from './saved-command.ts'
import { wireSaved } from './schema.ts'

export const getCommandRoute = ({ commands }: SavedCommandsDeps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands/{id}',
      operationId: 'getCommand',
      summary: 'Get a saved command',
      description: 'Built-in commands have no id; GET /commands lists them.',
      tag: 'commands',
      params: commandParams,
      responses: { 200: { description: 'The command', content: oneCommand } },
      problems: ['command_not_found'],
    },
    (_request, { params }) => {
      const command = commands.saved.list().find(({ id }) => id === commandIdIn(params))
      return command === undefined
        ? problemResponse(commandNotFound(params.id))
        : Response.json(wireSaved(command))
    },
  )
