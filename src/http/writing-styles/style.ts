// Shared by the operations on one style.

import { uuid } from '../../lib/schema.ts'
import type { WritingStyles } from '../../writing/styles.ts'
import { failureResponse } from '../contract/failure.ts'
import type { Problem } from '../contract/problem.ts'
import type { Contract } from '../contract/route.ts'
import { strictObject } from '../contract/schema.ts'
import type { FindsModels } from '../fields/model.ts'
import { checkStyle, type StyleBody, styleExample, WritingStyleSchema, wireStyle } from './schema.ts'

export const styleParams = strictObject({ id: uuid({ description: 'ID of the writing style' }) })

export const styleNotFound = (id: string): Problem => ({
  code: 'writing_style_not_found',
  detail: `There is no writing style ${id}.`,
})

export const oneStyle = { 'application/json': { schema: WritingStyleSchema, example: styleExample } }

/** Problems that every change has in common. */
export const CHANGE_PROBLEMS = ['writing_style_not_found', 'disk_full', 'database_unavailable'] as const

type Changed = Awaited<ReturnType<WritingStyles['change']>>

export const changedResponse = (changed: Changed): Response =>
  changed.ok ? Response.json(wireStyle(changed.value)) : failureResponse(changed.failure)

export type StyleRouteDeps = { styles: WritingStyles; models: FindsModels }

export const resolveStyle =
  (deps: StyleRouteDeps): NonNullable<Contract['resolve']> =>
  ({ path, body }) =>
    checkStyle(deps, body as StyleBody, typeof path.id === 'string' ? deps.styles.get(path.id) : null)
