import { expect, test } from 'bun:test'
import { faultOf, invalidNames, mergeProblems, validKeys } from '../../../src/http/kernel/input.ts'
import type { Problem } from '../../../src/http/kernel/problem.ts'

const at = (path: string, message = 'is wrong') => ({ in: 'body' as const, path, message })
const unknownModel: Problem = { code: 'unknown_model', detail: 'There is none.', errors: [at('/model')] }
const taken: Problem = {
  code: 'command_exists',
  detail: 'It is taken.',
  conflictId: 'x',
  errors: [at('/name')],
}
const missing: Problem = { code: 'model_not_installed', detail: 'Install it.' }

test('returns null without problems', () => {
  expect(mergeProblems([])).toBeNull()
  expect(mergeProblems([null, null])).toBeNull()
})

test('keeps the code of a single problem, and omits the fields of a conflict', () => {
  expect(mergeProblems([null, unknownModel])).toEqual(unknownModel)
  expect(mergeProblems([taken])).toEqual({ code: 'command_exists', detail: 'It is taken.', conflictId: 'x' })
  expect(mergeProblems([missing, taken])).toEqual(missing)
})

test('merges several problems, conflicts included, and drops those without a field', () => {
  const all = mergeProblems([faultOf(at('/steps')), missing, unknownModel, taken])
  expect(all?.code).toBe('invalid_request')
  expect(all?.errors?.map(({ path }) => path)).toEqual(['/steps', '/model', '/name'])
})

test('reports each path once, and no path below a reported one', () => {
  expect(mergeProblems([unknownModel, unknownModel])).toEqual(unknownModel)
  const inside = mergeProblems([faultOf(at('/steps', 'is required')), faultOf(at('/steps/0'))])
  expect(inside?.errors).toEqual([at('/steps', 'is required')])
  const beside = mergeProblems([faultOf(at('/step')), faultOf(at('/steps'))])
  expect(beside?.errors).toHaveLength(2)
})

test('validKeys returns the valid keys of a body', () => {
  const faults = [at('/a/0'), at('/b~1c'), { ...at('/d'), in: 'query' as const }]
  expect(validKeys({ a: [1], 'b/c': 1, d: 2, e: 3 }, faults)).toEqual({ d: 2, e: 3 })
  expect(validKeys([1], faults)).toEqual({})
  expect(validKeys(null, [])).toEqual({})
  expect([...invalidNames(faults, 'query')]).toEqual(['d'])
})
