// A writing style that a request names by its id: whether there is one.
// What a style is, and which one is taken where none is named, is src/writing.

import type { WritingStyles } from '../../writing/styles.ts'
import { faultOf } from '../contract/join-problems.ts'
import type { Fault, Problem } from '../contract/problem.ts'

const PATH = '/writing_style_id'

/** Null where no id is given, or it is one of a style. */
export const styleFault = (
  styles: Pick<WritingStyles, 'get'>,
  id: unknown,
  place: Fault['in'],
  path = PATH,
): Problem | null =>
  typeof id !== 'string' || styles.get(id) !== null
    ? null
    : faultOf({ in: place, path, message: 'names no writing style' })
