import { expect, test } from 'bun:test'
import { parseOperators } from '../../src/text/query-operators.ts'

test('a query without operators stays as it is', () => {
  for (const query of ['new office', '"new  office" 10 000', 'minus -5 or so', 'e-mail', '-', 'OR', '-paris'])
    expect(parseOperators(query)).toEqual({ groups: [[query]], excluded: [], plain: query })
})

test('a minus excludes a word or a phrase', () => {
  expect(parseOperators('maria -paris -"new york"')).toEqual({
    groups: [['maria']],
    excluded: ['paris', '"new york"'],
    plain: 'maria',
  })
})

test('OR joins its neighbours only', () => {
  expect(parseOperators('call maria OR “anna b” OR eve 10 000 today')).toEqual({
    groups: [['call'], ['maria', '"anna b"', 'eve'], ['10 000 today']],
    excluded: [],
    plain: 'call maria "anna b" eve 10 000 today',
  })
})

test('OR without a word on one side is a word', () => {
  expect(parseOperators('maria OR').groups).toEqual([['maria OR']])
  expect(parseOperators('OR maria -paris').groups).toEqual([['OR maria']])
})
