import type { WritingStyles } from '../../writing/styles.ts'
import { faultOf } from '../contract/merge-errors.ts'
import type { Fault, Problem } from '../contract/problem.ts'

const PATH = '/writing_style_id'

/** Null if the field is absent, or is the id of a writing style. */
export const styleFault = (
  styles: Pick<WritingStyles, 'get'>,
  id: unknown,
  place: Fault['in'],
  path = PATH,
): Problem | null =>
  typeof id !== 'string' || styles.get(id) !== null
    ? null
    : faultOf({ in: place, path, message: 'names no writing style' })
