import { Type } from '@sinclair/typebox'
import type { Commands } from '../../commands/commands.ts'
import { COMMAND_LIMITS } from '../../commands/saved-command.ts'
import type { SavedCommandFailure } from '../../commands/saved-commands.ts'
import { oneOf, uuid } from '../../lib/schema.ts'
import { faultOf, mergeProblems } from '../kernel/input.ts'
import { changedReadOnly, READ_ONLY_NOTE } from '../kernel/json-body.ts'
import { type Fault, invalidRequest, type Problem, problemOf, problemResponse } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, type ParsedRequest } from '../kernel/route.ts'
import { pageQuery, strictObject, text, wholeNumber } from '../kernel/schema.ts'
import { CommandRunListSchema, commandRunExample, wireRun } from './run-schema.ts'
import {
  CommandContentSchema,
  CommandListSchema,
  CommandReplacementSchema,
  CommandSchema,
  commandContentExample,
  commandContentOf,
  commandExample,
  wireBuiltIn,
  wireSaved,
} from './schema.ts'

export type SavedCommandsDeps = { commands: Pick<Commands, 'builtIn' | 'saved' | 'history'> }

const commandParams = strictObject({ id: uuid({ description: 'ID of a saved command' }) })

const oneCommand = jsonContent(CommandSchema, commandExample)

const FIXED = ['id', 'source', 'kind', 'created_at'] as const

/** Checks the fields that passed the schema against the saved commands. */
function checkCommand(
  { commands: { saved } }: SavedCommandsDeps,
  { path, body, faulty }: ParsedRequest,
): Problem[] {
  const current = saved.list().find(({ id }) => id === commandIdIn(path)) ?? null
  const fixed = current === null ? [] : changedReadOnly(body, wireSaved(current), FIXED)
  const content = { name: '', triggers: [], ...body } as Parameters<typeof commandContentOf>[0]
  const refusals = saved.refusals(commandContentOf(content), current?.id ?? null)
  // Whether exactly one of the two is present cannot be checked while one of them is invalid.
  const isEitherFaulty = faulty.has('instructions') || faulty.has('steps')
  const problems = refusals.map((refusal) =>
    refusal.code === 'invalid_command' && isEitherFaulty
      ? { ...refusal, faults: refusal.faults.filter((fault) => fault.path !== '') }
      : refusal,
  )
  return [...fixed.map(faultOf), ...problems.filter(hasFaults).map(problemOfCommand)]
}

const hasFaults = (failure: SavedCommandFailure) =>
  failure.code !== 'invalid_command' || failure.faults.length > 0

const commandIdIn = ({ id }: Record<string, unknown>): string => String(id).toLowerCase()

const commandBody = {
  kind: 'json',
  schema: CommandContentSchema,
  example: commandContentExample,
} as const

const commandNotFound = (id: string): Problem => ({
  code: 'command_not_found',
  detail: `There is no saved command ${id}.`,
})

const commandFailureResponse = (failure: SavedCommandFailure): Response =>
  problemResponse(alone(problemOfCommand(failure)))

/** A conflict alone is reported by its id; its field is only reported along with other errors. */
const alone = (problem: Problem): Problem => mergeProblems([problem])!

function problemOfCommand(failure: SavedCommandFailure): Problem {
  if (failure.code === 'invalid_command')
    return invalidRequest(failure.faults.map((fault) => ({ in: 'body', ...fault })))
  if (failure.code === 'too_many_commands')
    return {
      ...faultOf({ in: 'body', path: '', message: 'exceeds the number of commands that can be saved' }),
      detail: failure.message,
    }
  const problem = problemOf(failure)
  if (failure.code === 'command_not_found') return problem
  const taken: Fault = { in: 'body', path: failure.path, message: 'is already used by another command' }
  return { ...problem, errors: [taken] }
}

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
      responses: ok(
        'One page of commands',
        jsonContent(CommandListSchema, { items: [commandExample], total: 1 }),
      ),
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
      responses: ok('The command', oneCommand),
      problems: ['command_not_found'],
    },
    (_request, { params }) => {
      const command = commands.saved.list().find(({ id }) => id === commandIdIn(params))
      return command === undefined
        ? problemResponse(commandNotFound(params.id))
        : Response.json(wireSaved(command))
    },
  )

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
      responses: ok('The command as it is now', oneCommand),
      problems: ['command_not_found', 'command_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params, body }) => {
      const replaced = await commands.saved.replace(commandIdIn(params), commandContentOf(body))
      return replaced.ok ? Response.json(wireSaved(replaced.value)) : commandFailureResponse(replaced.failure)
    },
  )

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
      responses: ok('Deleted', jsonContent(DeletedSchema, { message: 'The command was deleted.' })),
      problems: ['command_not_found', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params }) => {
      const removed = await commands.saved.remove(commandIdIn(params))
      return removed.ok
        ? Response.json({ message: 'The command was deleted.' })
        : commandFailureResponse(removed.failure)
    },
  )

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
      responses: ok(
        'One page of runs',
        jsonContent(CommandRunListSchema, { items: [commandRunExample], total: 1 }),
      ),
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
      responses: ok(
        'The history is empty',
        jsonContent(ClearedSchema, { message: 'The history is empty.', deleted: 3 }),
      ),
      problems: ['disk_full', 'database_unavailable'],
    },
    async () => Response.json({ message: 'The history is empty.', deleted: await commands.history.clear() }),
  )
