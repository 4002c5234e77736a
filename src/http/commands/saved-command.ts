// Shared by the operations on saved commands.

import type { Commands } from '../../commands/commands.ts'
import type { SavedCommandFailure } from '../../commands/saved-commands.ts'
import { uuid } from '../../lib/schema.ts'
import { problemOf } from '../contract/failure.ts'
import { faultOf, mergeProblems } from '../contract/merge-errors.ts'
import { type Fault, invalidRequest, type Problem, problemResponse } from '../contract/problem.ts'
import { changedReadOnly } from '../contract/read-only.ts'
import type { ParsedRequest } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import {
  CommandContentSchema,
  CommandSchema,
  commandContentExample,
  commandContentOf,
  commandExample,
  wireSaved,
} from './schema.ts'

export type SavedCommandsDeps = { commands: Pick<Commands, 'builtIn' | 'saved' | 'history'> }

export const commandParams = strictObject({ id: uuid({ description: 'ID of a saved command' }) })

export const oneCommand = { 'application/json': { schema: CommandSchema, example: commandExample } }

const FIXED = ['id', 'source', 'kind', 'created_at'] as const

/** Checks the fields that passed the schema against the saved commands. */
export function checkCommand(
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

export const commandIdIn = ({ id }: Record<string, unknown>): string => String(id).toLowerCase()

export const commandBody = {
  kind: 'json',
  schema: CommandContentSchema,
  example: commandContentExample,
} as const

export const commandNotFound = (id: string): Problem => ({
  code: 'command_not_found',
  detail: `There is no saved command ${id}.`,
})

export const commandFailureResponse = (failure: SavedCommandFailure): Response =>
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
