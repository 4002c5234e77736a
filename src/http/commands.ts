// GET, POST /commands, GET, PUT, DELETE /commands/{id}, and the history: the commands there are and what they did.
// Running one is commands-run.ts.

import { Type } from '@sinclair/typebox'
import type { Commands } from '../commands/commands.ts'
import { COMMAND_LIMITS } from '../commands/saved-command.ts'
import type { SavedCommandFailure } from '../commands/saved-commands.ts'
import { allAtOnce, faultOf } from './at-once.ts'
import { CommandRunListSchema, commandRunExample, wireRun } from './commands-run-schema.ts'
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
} from './commands-schema.ts'
import { problemOf } from './failure.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from './problem.ts'
import { changedReadOnly, READ_ONLY_NOTE } from './read-only.ts'
import { defineRoute, type Route, type Sent } from './route.ts'
import { oneOf, pageQuery, strictObject, text, uuid, wholeNumber } from './schema.ts'

type Deps = { commands: Pick<Commands, 'builtIn' | 'saved' | 'history'> }

export const commandRoutes = (deps: Deps): Route[] => [
  listRoute(deps),
  createRoute(deps),
  historyRoute(deps),
  clearRoute(deps),
  getRoute(deps),
  replaceRoute(deps),
  removeRoute(deps),
]

const params = strictObject({ id: uuid({ description: 'of a saved command' }) })
const oneCommand = { 'application/json': { schema: CommandSchema, example: commandExample } }
const FIXED = ['id', 'source', 'kind', 'created_at'] as const

/** What only a look at the commands can tell of the parts that the schema finds nothing wrong with. */
function wrongBeside({ commands: { saved } }: Deps, { path, body, faulty }: Sent): Problem[] {
  const current = saved.list().find(({ id }) => id === idIn(path)) ?? null
  const fixed = current === null ? [] : changedReadOnly(body, wireSaved(current), FIXED)
  const content = { name: '', triggers: [], ...body } as Parameters<typeof commandContentOf>[0]
  const refusals = saved.refusals(commandContentOf(content), current?.id ?? null)
  // Which of the two there is cannot be told when one of them is no value at all.
  const isEitherFaulty = faulty.has('instructions') || faulty.has('steps')
  const problems = refusals.map((refusal) =>
    refusal.code === 'invalid_command' && isEitherFaulty
      ? { ...refusal, faults: refusal.faults.filter((fault) => fault.path !== '') }
      : refusal,
  )
  return [...fixed.map(faultOf), ...problems.filter(tells).map(problemOfCommand)]
}

const tells = (failure: SavedCommandFailure) =>
  failure.code !== 'invalid_command' || failure.faults.length > 0

const idIn = ({ id }: Record<string, unknown>): string => String(id).toLowerCase()

const body = { kind: 'json', schema: CommandContentSchema, example: commandContentExample } as const

const notFound = (id: string): Problem => ({
  code: 'command_not_found',
  detail: `There is no saved command ${id}.`,
})

/** Built-in ones alone would not fit on a page of fifty. */
const ALL = 200

const listRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands',
      operationId: 'listCommands',
      summary: 'List commands',
      description: 'Saved ones first, then those that are built in, in the order in which they are tried.',
      tag: 'commands',
      query: strictObject({
        source: Type.Optional(oneOf(['built_in', 'saved'])),
        limit: Type.Optional(
          wholeNumber({ description: 'how many at most', minimum: 1, maximum: 200, default: ALL }),
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

const createRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'POST',
      path: '/commands',
      operationId: 'createCommand',
      summary: 'Save a command',
      description: `It listens to its triggers and does its steps, which are built-in commands, or asks a language model to follow its instructions. At most ${COMMAND_LIMITS.commands} are kept.`,
      tag: 'commands',
      body,
      lookUp: (sent) => wrongBeside({ commands }, sent),
      responses: {
        201: { description: 'Saved', headers: { Location: 'of the command' }, content: oneCommand },
      },
      problems: ['command_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { body }) => {
      const created = await commands.saved.create(commandContentOf(body))
      if (!created.ok) return refused(created.failure)
      return Response.json(wireSaved(created.value), {
        status: 201,
        headers: { location: `/commands/${created.value.id}` },
      })
    },
  )

const getRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands/{id}',
      operationId: 'getCommand',
      summary: 'Get a saved command',
      description: 'Built-in commands have no id; GET /commands lists them.',
      tag: 'commands',
      params,
      responses: { 200: { description: 'The command', content: oneCommand } },
      problems: ['command_not_found'],
    },
    (_request, { params }) => {
      const command = commands.saved.list().find(({ id }) => id === idIn(params))
      return command === undefined ? problemResponse(notFound(params.id)) : Response.json(wireSaved(command))
    },
  )

const replaceRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'PUT',
      path: '/commands/{id}',
      operationId: 'replaceCommand',
      summary: 'Replace a saved command',
      description: `The whole of it; how often it was used stays. ${READ_ONLY_NOTE}`,
      tag: 'commands',
      params,
      body: { ...body, schema: CommandReplacementSchema },
      lookUp: (sent) => wrongBeside({ commands }, sent),
      responses: { 200: { description: 'The command as it is now', content: oneCommand } },
      problems: ['command_not_found', 'command_exists', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params, body }) => {
      const replaced = await commands.saved.replace(idIn(params), commandContentOf(body))
      return replaced.ok ? Response.json(wireSaved(replaced.value)) : refused(replaced.failure)
    },
  )

const DeletedSchema = strictObject({ message: text({}) }, { $id: 'CommandDeleted' })

const removeRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/commands/{id}',
      operationId: 'deleteCommand',
      summary: 'Delete a saved command',
      description: 'What it did stays in the history.',
      tag: 'commands',
      params,
      responses: {
        200: {
          description: 'Deleted',
          content: {
            'application/json': { schema: DeletedSchema, example: { message: 'The command is deleted.' } },
          },
        },
      },
      problems: ['command_not_found', 'disk_full', 'database_unavailable'],
    },
    async (_request, { params }) => {
      const removed = await commands.saved.remove(idIn(params))
      return removed.ok ? Response.json({ message: 'The command is deleted.' }) : refused(removed.failure)
    },
  )

const historyRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'GET',
      path: '/commands/history',
      operationId: 'listCommandRuns',
      summary: 'List what commands did',
      description: 'Newest first; the last thousand are kept. A dry run leaves no trace.',
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

const clearRoute = ({ commands }: Deps) =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/commands/history',
      operationId: 'clearCommandRuns',
      summary: 'Forget what commands did',
      description: 'The texts that commands worked on are in it; this removes them all.',
      tag: 'commands',
      responses: {
        200: {
          description: 'Forgotten',
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

const refused = (failure: SavedCommandFailure): Response => problemResponse(alone(problemOfCommand(failure)))

/** A conflict is told by its id; its field is for the company of other faults. */
const alone = (problem: Problem): Problem => allAtOnce([problem])!

function problemOfCommand(failure: SavedCommandFailure): Problem {
  if (failure.code === 'invalid_command')
    return invalidRequest(failure.faults.map((fault) => ({ in: 'body', ...fault })))
  if (failure.code === 'too_many_commands')
    return {
      ...faultOf({ in: 'body', path: '', message: 'is one command too many' }),
      detail: failure.message,
    }
  const problem = problemOf(failure)
  if (failure.code === 'command_not_found') return problem
  const taken: Fault = { in: 'body', path: failure.path, message: 'belongs to another command' }
  return { ...problem, errors: [taken] }
}
