// What the routes of writing styles share: the path, the answer with one style, and the refusals.
// The style itself, as the wire shows it, is writing-styles-schema.ts.

import type { WritingStyles } from '../writing/styles.ts'
import { failureResponse } from './failure.ts'
import type { Problem } from './problem.ts'
import { strictObject, uuid } from './schema.ts'
import { styleExample, WritingStyleSchema, wireStyle } from './writing-styles-schema.ts'

export const styleParams = strictObject({ id: uuid({ description: 'of the writing style' }) })

export const styleNotFound = (id: string): Problem => ({
  code: 'writing_style_not_found',
  detail: `There is no writing style ${id}.`,
})

export const oneStyle = { 'application/json': { schema: WritingStyleSchema, example: styleExample } }

/** What any change may fail with besides its own. */
export const CHANGE_PROBLEMS = ['writing_style_not_found', 'disk_full', 'database_unavailable'] as const

type Changed = Awaited<ReturnType<WritingStyles['change']>>

export const changedResponse = (changed: Changed): Response =>
  changed.ok ? Response.json(wireStyle(changed.value)) : failureResponse(changed.failure)
