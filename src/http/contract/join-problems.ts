// Everything that is wrong with one request in one answer: whoever mends it should have to try only once.
// Does not look for faults; schemas, look-ups and stores do, and give what they found.

import { type Fault, invalidRequest, PROBLEMS, type Problem } from './problem.ts'

/** What only a look can tell: names that mean nothing, values that do not go together. It stands in one field. */
export const faultOf = (fault: Fault): Problem => invalidRequest([fault])

export const isUnprocessable = ({ code }: Problem): boolean => PROBLEMS[code].status === 422

/**
 * One refusal of several, null of none. Where anything is 422, all that says which field it means is told together,
 * conflicts too; a problem alone keeps its code. Where nothing is, the first problem stands.
 */
export function joinProblems(problems: readonly (Problem | null)[]): Problem | null {
  const found = problems.filter((problem) => problem !== null)
  if (!found.some(isUnprocessable)) return found[0] === undefined ? null : withoutFaults(found[0])
  const told: Fault[] = []
  const telling = found.filter(({ errors = [] }) => {
    const more = errors.filter((fault) => !told.some((other) => concerns(other, fault)))
    told.push(...more)
    return more.length > 0
  })
  if (telling.length === 0) return found.find(isUnprocessable)!
  return telling.length === 1 && isUnprocessable(telling[0]!) ? telling[0]! : invalidRequest(told)
}

/** Whether a value that was found to be wrong is looked at again, or a part of it. */
const concerns = (one: Fault, other: Fault): boolean =>
  one.in === other.in &&
  (one.path === other.path || (one.path !== '' && other.path.startsWith(`${one.path}/`)))

/** A conflict is told by its id; which field it means is for the company of others. */
const withoutFaults = ({ errors, ...problem }: Problem): Problem =>
  isUnprocessable({ ...problem }) && errors ? { ...problem, errors } : problem

/** The names of the fields, or keys of the body, that something was found wrong with. */
export const faultyNames = (faults: readonly Fault[], place: Fault['in']): ReadonlySet<string> =>
  new Set(faults.filter((fault) => fault.in === place).map(({ path }) => nameAt(path)))

/** The first name in a JSON Pointer. */
export const nameAt = (path: string): string =>
  (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/** The keys of a JSON object that nothing was found wrong with; none of what is no object. */
export function goodKeys(value: unknown, faults: readonly Fault[]): Record<string, unknown> {
  const faulty = faultyNames(faults, 'body')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)))
}
