// Merges all errors of a request into one response, so that the client can correct them in one go.

import { type Fault, invalidRequest, PROBLEMS, type Problem } from './problem.ts'

/** A problem for an error in one field that only a lookup can find, such as an unknown name. */
export const faultOf = (fault: Fault): Problem => invalidRequest([fault])

export const isUnprocessable = ({ code }: Problem): boolean => PROBLEMS[code].status === 422

/**
 * Merges problems into one; null if there are none. If one is a 422, the errors of all problems that name a field are
 * merged, conflicts included; a single problem keeps its code. If none is a 422, the first problem is returned.
 */
export function mergeProblems(problems: readonly (Problem | null)[]): Problem | null {
  const found = problems.filter((problem) => problem !== null)
  if (!found.some(isUnprocessable)) return found[0] === undefined ? null : withoutFaults(found[0])
  const merged: Fault[] = []
  const contributing = found.filter(({ errors = [] }) => {
    const more = errors.filter((fault) => !merged.some((other) => concerns(other, fault)))
    merged.push(...more)
    return more.length > 0
  })
  if (contributing.length === 0) return found.find(isUnprocessable)!
  return contributing.length === 1 && isUnprocessable(contributing[0]!)
    ? contributing[0]!
    : invalidRequest(merged)
}

/** Whether both errors are about the same value, or the second about a part of it. */
const concerns = (one: Fault, other: Fault): boolean =>
  one.in === other.in &&
  (one.path === other.path || (one.path !== '' && other.path.startsWith(`${one.path}/`)))

/** A single conflict is reported by its id; its field only matters beside other errors. */
const withoutFaults = ({ errors, ...problem }: Problem): Problem =>
  isUnprocessable({ ...problem }) && errors ? { ...problem, errors } : problem

/** The names of the invalid fields, or keys of the body. */
export const invalidNames = (faults: readonly Fault[], place: Fault['in']): ReadonlySet<string> =>
  new Set(faults.filter((fault) => fault.in === place).map(({ path }) => nameAt(path)))

/** The first segment of a JSON Pointer. */
export const nameAt = (path: string): string =>
  (path.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/** The valid keys of a JSON object; empty for any other value. */
export function validKeys(value: unknown, faults: readonly Fault[]): Record<string, unknown> {
  const faulty = invalidNames(faults, 'body')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => !faulty.has(name)))
}
