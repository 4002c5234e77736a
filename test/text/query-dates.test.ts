import { expect, test } from 'bun:test'
import { parseDates } from '../../src/text/query-dates.ts'

test('a query without dates stays as it is', () => {
  for (const query of [
    'new  office',
    'on:air',
    'before: 2026',
    '"on:2026-11-01"',
    'on:"today"',
    'version:2026',
    '',
  ])
    expect(parseDates(query)).toEqual({ words: query, dates: [], isAmbiguous: false })
})

test('dates are taken out of the words, anywhere and in any case', () => {
  expect(parseDates('on:today maria -paris BEFORE:2026-11-01 “anna b” OR eve After:2025')).toEqual({
    words: 'maria -paris "anna b" OR eve',
    dates: [
      { operator: 'on', value: 'today' },
      { operator: 'before', value: '2026-11-01' },
      { operator: 'after', value: '2025' },
    ],
    isAmbiguous: false,
  })
  expect(parseDates('on:2026-1')).toMatchObject({ words: '', dates: [{ value: '2026-1' }] })
})

test('OR next to a date is ambiguous', () => {
  for (const query of ['maria OR on:today', 'before:2026 OR maria'])
    expect(parseDates(query).isAmbiguous).toBe(true)
  expect(parseDates('maria OR eve on:today').isAmbiguous).toBe(false)
})
